# Included by your Makefile: include relais/relais.mk
.PHONY: tick loop status doctor demo drill
tick: ## one judged step
	@python3 -I relais.py run
loop: ## steps until done; MODE=autonomous for milestone after milestone
	@python3 -I relais.py loop --mode $(or $(MODE),milestone)
status: ## where things stand
	@python3 -I relais.py status
doctor: ## check everything a tick needs
	@python3 -I relais.py doctor
demo: ## four ticks in a throw-away repo, without an account
	@python3 -I relais.py demo
drill: ## attack every guard in a throw-away clone, and see whether it holds
	@python3 -I relais.py drill
