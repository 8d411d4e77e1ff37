# The one face of the project. Every target installs what it needs first.

export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NPM_CONFIG_UPDATE_NOTIFIER := false

SHELL := /bin/sh
.SHELLFLAGS := -ec
.DEFAULT_GOAL := bundle
INSTALLED := node_modules/.installed
TESTS := 'packages/*/src/**/*.test.ts' 'packages/*/contract/**/*.test.ts' 'packages/*/packaging/**/*.test.ts' 'apps/*/src/**/*.test.ts' 'test/*/src/**/*.test.ts' 'hack/**/*.test.ts'

.PHONY: bundle run test lint format bench contract simulator control-plane image clean help

bundle: $(INSTALLED) ## Bundle the controller into dist/cloudstack-ccm.js
	node hack/bundle.ts

run: $(INSTALLED) ## Run the controller live (embedded clouds, or KUBECONFIG=… CLOUD_CONFIG=…; ONCE=1 for plain text)
	@node hack/bundle.ts >/dev/null
	@exec node apps/demo/src/main.ts

test: $(INSTALLED) lint bundle control-plane ## Check everything and run every test
	@sh hack/ensure-chromium.sh
	node --test --test-concurrency=2 $(TESTS)

lint: $(INSTALLED) ## Check formatting, lint, types, layering and dead code
	prettier --log-level warn --check .
	oxlint --type-aware --deny-warnings
	tsc --noEmit
	node hack/layering.ts
	knip

format: $(INSTALLED) ## Format every file
	prettier --log-level warn --write .

bench: $(INSTALLED) bundle control-plane ## Measure memory, start-up and calls
	node bench/src/main.ts

contract: $(INSTALLED) ## Hold the CloudStack simulator against recorded answers
	npm run --silent contract

simulator: $(INSTALLED) ## Run the CloudStack simulator alone
	node packages/cloudstack-simulator/src/main.ts

control-plane: $(INSTALLED) ## Find or build the real kube-apiserver and etcd (about 7 minutes the first time)
	@node test/control-plane/src/main.ts

image: ## Build the container image
	docker build --tag cloudstack-ccm .

clean: ## Remove what was built here (caches outside the tree stay)
	rm -rf dist coverage node_modules

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(INSTALLED): package-lock.json
	npm ci --no-audit --no-fund
	@sh hack/check-node.sh
	@touch $@
