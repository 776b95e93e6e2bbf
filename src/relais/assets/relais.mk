# Included by your Makefile: include relais/relais.mk
# What plain `make` does stays yours: a tick costs money, and commits.
RELAIS_FOUND_GOAL := $(.DEFAULT_GOAL)
.PHONY: tick loop relais-status relais-doctor relais-demo relais-drill
tick: ## one judged step
	@python3 -I relais.py run
loop: ## steps until done; MODE=autonomous for milestone after milestone
	@python3 -I relais.py loop --mode $(or $(MODE),milestone)
relais-status: ## where things stand
	@python3 -I relais.py status
relais-doctor: ## check everything a tick needs
	@python3 -I relais.py doctor
relais-demo: ## four ticks in a throw-away repo, without an account
	@python3 -I relais.py demo
relais-drill: ## attack every guard in a throw-away clone, and see whether it holds
	@python3 -I relais.py drill
.DEFAULT_GOAL := $(RELAIS_FOUND_GOAL)
