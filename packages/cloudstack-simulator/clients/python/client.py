"""Drives a CloudStack API with the `cs` library, and prints what it got as one JSON object."""

import json
import os

from cs import CloudStack, CloudStackApiException

api = CloudStack(
    endpoint=os.environ["CLOUDSTACK_ENDPOINT"],
    key=os.environ["CLOUDSTACK_KEY"],
    secret=os.environ["CLOUDSTACK_SECRET"],
    poll_interval=0.05,
    job_timeout=30,
)
out = {}

version = api.listCapabilities()["capability"]["cloudstackversion"]
# Before 4.18 a rule with CIDRs is refused.
cidrs = {} if version < "4.18" else {"cidrlist": ["192.0.2.0/24", "198.51.100.0/24"]}

zone = api.listZones(name=os.environ["CLOUDSTACK_ZONE"])["zone"][0]
networks = api.listNetworks(fetch_list=True, page_size=1)
network = next(one for one in networks if one["name"] == os.environ["CLOUDSTACK_NETWORK"])
machines = api.listVirtualMachines(networkid=network["id"], fetch_list=True, page_size=2)
out["machines"] = [machine["id"] for machine in machines]
out["machineCount"] = api.listVirtualMachines(networkid=network["id"])["count"]
out["none"] = api.listLoadBalancerRules(keyword="nothing has this name")

# Jobs, with `fetch_result` waiting for them.
address = api.associateIpAddress(networkid=network["id"], fetch_result=True)["ipaddress"]
rule = api.createLoadBalancerRule(
    publicipid=address["id"],
    algorithm="roundrobin",
    name="ünïcode & co",
    publicport=443,
    privateport=30443,
    openfirewall=False,
    fetch_result=True,
    **cidrs,
)["loadbalancer"]
out["rule"] = {field: rule.get(field) for field in ("name", "publicport", "cidrlist", "state")}
out["assigned"] = api.assignToLoadBalancerRule(
    id=rule["id"], virtualmachineids=out["machines"], fetch_result=True
)["success"]
api.createTags(
    resourceids=[address["id"]],
    resourcetype="PublicIpAddress",
    tags=[{"key": "a", "value": "1"}, {"key": "b", "value": "two words"}],
    fetch_result=True,
)
shown = api.listPublicIpAddresses(id=address["id"])["publicipaddress"][0]
out["tags"] = {tag["key"]: tag["value"] for tag in shown["tags"]}

# Errors: at once, and inside a job.
for name, call in {
    "missing": lambda: api.createLoadBalancerRule(name="x"),
    "conflict": lambda: api.createLoadBalancerRule(
        publicipid=address["id"], algorithm="source", name="y", publicport=443, privateport=1
    ),
    "denied": lambda: api.listHosts(),
    "failedJob": lambda: api.assignToLoadBalancerRule(
        id=rule["id"], virtualmachineids=out["machines"][:1], fetch_result=True
    ),
}.items():
    try:
        call()
        out[name] = "no error"
    except CloudStackApiException as error:
        out[name] = [error.error["errorcode"], error.error["errortext"]]

api.deleteLoadBalancerRule(id=rule["id"], fetch_result=True)
api.disassociateIpAddress(id=address["id"], fetch_result=True)
out["left"] = api.listLoadBalancerRules()

# The same by POST.
posting = CloudStack(
    endpoint=os.environ["CLOUDSTACK_ENDPOINT"],
    key=os.environ["CLOUDSTACK_KEY"],
    secret=os.environ["CLOUDSTACK_SECRET"],
    method="post",
)
out["posted"] = posting.listZones(id=zone["id"])["count"]
print(json.dumps(out))
