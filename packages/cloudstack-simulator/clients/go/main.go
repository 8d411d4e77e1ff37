// Drives a CloudStack API with the Apache Go SDK as a cloud controller does, and prints what it got as one JSON object.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/apache/cloudstack-go/v2/cloudstack"
)

type report struct {
	Zone          string   `json:"zone"`
	Network       string   `json:"network"`
	Machines      []string `json:"machines"`
	PagedMachines []string `json:"pagedMachines"`
	MachineCount  int      `json:"machineCount"`
	Address       string   `json:"address"`
	RuleState     string   `json:"ruleState"`
	Members       []string `json:"members"`
	Firewall      string   `json:"firewall"`
	Tags          []string `json:"tags"`
	Conflict      string   `json:"conflict"`
	NotFound      string   `json:"notFound"`
	JobFailure    string   `json:"jobFailure"`
	Algorithm     string   `json:"algorithm"`
	RulesLeft     int      `json:"rulesLeft"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	client := cloudstack.NewAsyncClient(os.Getenv("CLOUDSTACK_ENDPOINT"), os.Getenv("CLOUDSTACK_KEY"), os.Getenv("CLOUDSTACK_SECRET"), false)
	var out report
	steps := []func(*cloudstack.CloudStackClient, *report) error{look, page, publish, change, fail, clean}
	for _, step := range steps {
		if err := step(client, &out); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func look(client *cloudstack.CloudStackClient, out *report) error {
	zone, _, err := client.Zone.GetZoneByName(os.Getenv("CLOUDSTACK_ZONE"))
	if err != nil {
		return fmt.Errorf("zone: %w", err)
	}
	out.Zone = zone.Id
	network, _, err := client.Network.GetNetworkByName(os.Getenv("CLOUDSTACK_NETWORK"))
	if err != nil {
		return fmt.Errorf("network: %w", err)
	}
	out.Network = network.Id
	params := client.VirtualMachine.NewListVirtualMachinesParams()
	params.SetNetworkid(network.Id)
	machines, err := client.VirtualMachine.ListVirtualMachines(params)
	if err != nil {
		return fmt.Errorf("machines: %w", err)
	}
	out.MachineCount = machines.Count
	for _, machine := range machines.VirtualMachines {
		out.Machines = append(out.Machines, machine.Id)
	}
	return nil
}

func page(client *cloudstack.CloudStackClient, out *report) error {
	for number := 1; ; number++ {
		params := client.VirtualMachine.NewListVirtualMachinesParams()
		params.SetNetworkid(out.Network)
		params.SetPage(number)
		params.SetPagesize(2)
		machines, err := client.VirtualMachine.ListVirtualMachines(params)
		if err != nil {
			return fmt.Errorf("page %d: %w", number, err)
		}
		if len(machines.VirtualMachines) == 0 {
			return nil
		}
		for _, machine := range machines.VirtualMachines {
			out.PagedMachines = append(out.PagedMachines, machine.Id)
		}
	}
}

var address, rule string

func publish(client *cloudstack.CloudStackClient, out *report) error {
	associate := client.Address.NewAssociateIpAddressParams()
	associate.SetNetworkid(out.Network)
	ip, err := client.Address.AssociateIpAddress(associate)
	if err != nil {
		return fmt.Errorf("address: %w", err)
	}
	address, out.Address = ip.Id, ip.Ipaddress

	created, err := client.LoadBalancer.CreateLoadBalancerRule(ruleParams(client, "web", 80))
	if err != nil {
		return fmt.Errorf("rule: %w", err)
	}
	rule = created.Id
	assign := client.LoadBalancer.NewAssignToLoadBalancerRuleParams(rule)
	assign.SetVirtualmachineids(out.Machines)
	if _, err := client.LoadBalancer.AssignToLoadBalancerRule(assign); err != nil {
		return fmt.Errorf("assign: %w", err)
	}
	instances, err := client.LoadBalancer.ListLoadBalancerRuleInstances(client.LoadBalancer.NewListLoadBalancerRuleInstancesParams(rule))
	if err != nil {
		return fmt.Errorf("members: %w", err)
	}
	for _, machine := range instances.LoadBalancerRuleInstances {
		out.Members = append(out.Members, machine.Id)
	}
	open := client.Firewall.NewCreateFirewallRuleParams(address, "tcp")
	open.SetStartport(80)
	open.SetEndport(80)
	open.SetCidrlist([]string{"192.0.2.0/24"})
	firewall, err := client.Firewall.CreateFirewallRule(open)
	if err != nil {
		return fmt.Errorf("firewall: %w", err)
	}
	out.Firewall = firewall.Cidrlist
	tags := client.Resourcetags.NewCreateTagsParams([]string{address}, "PublicIpAddress", map[string]string{"cluster": "a b"})
	if _, err := client.Resourcetags.CreateTags(tags); err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	list := client.Resourcetags.NewListTagsParams()
	list.SetResourceid(address)
	found, err := client.Resourcetags.ListTags(list)
	if err != nil {
		return fmt.Errorf("list tags: %w", err)
	}
	for _, tag := range found.Tags {
		out.Tags = append(out.Tags, tag.Key+"="+tag.Value)
	}
	return nil
}

func ruleParams(client *cloudstack.CloudStackClient, name string, port int) *cloudstack.CreateLoadBalancerRuleParams {
	params := client.LoadBalancer.NewCreateLoadBalancerRuleParams("roundrobin", name, 30000+port, port)
	params.SetPublicipid(address)
	params.SetProtocol("tcp")
	params.SetOpenfirewall(false)
	return params
}

func change(client *cloudstack.CloudStackClient, out *report) error {
	update := client.LoadBalancer.NewUpdateLoadBalancerRuleParams(rule)
	update.SetAlgorithm("source")
	if _, err := client.LoadBalancer.UpdateLoadBalancerRule(update); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	shown, _, err := client.LoadBalancer.GetLoadBalancerRuleByID(rule)
	if err != nil {
		return fmt.Errorf("rule by id: %w", err)
	}
	out.RuleState, out.Algorithm = shown.State, shown.Algorithm
	return nil
}

func fail(client *cloudstack.CloudStackClient, out *report) error {
	if _, err := client.LoadBalancer.CreateLoadBalancerRule(ruleParams(client, "twin", 80)); err != nil {
		out.Conflict = err.Error()
	}
	if _, _, err := client.VirtualMachine.GetVirtualMachineByID("00000000-0000-4000-8000-000000000000"); err != nil {
		out.NotFound = err.Error()
	}
	again := client.LoadBalancer.NewAssignToLoadBalancerRuleParams(rule)
	again.SetVirtualmachineids(out.Machines[:1])
	if _, err := client.LoadBalancer.AssignToLoadBalancerRule(again); err != nil {
		out.JobFailure = err.Error()
	}
	return nil
}

func clean(client *cloudstack.CloudStackClient, out *report) error {
	if _, err := client.LoadBalancer.DeleteLoadBalancerRule(client.LoadBalancer.NewDeleteLoadBalancerRuleParams(rule)); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if _, err := client.Address.DisassociateIpAddress(client.Address.NewDisassociateIpAddressParams(address)); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	left, err := client.LoadBalancer.ListLoadBalancerRules(client.LoadBalancer.NewListLoadBalancerRulesParams())
	if err != nil {
		return fmt.Errorf("rules left: %w", err)
	}
	out.RulesLeft = left.Count
	return nil
}
