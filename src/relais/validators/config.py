"""Generated from config.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^[A-Za-z0-9][A-Za-z0-9._-]*$': re.compile('^[A-Za-z0-9][A-Za-z0-9._-]*\\Z'), '^[^\\x00]*$': re.compile('^[^\\x00]*\\Z'), '^[^\\x00-\\x1f]*$': re.compile('^[^\\x00-\\x1f]*\\Z'), '^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$': re.compile('^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*\\Z'), '^[^/\\x00-\\x1f]': re.compile('^[^/\\x00-\\x1f]')}
NoneType = type(None)

def validate_https___relais_local_schemas_config_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('config must be object')
 v396 = isinstance(data, dict)
 if v396:
  v370 = set(['version']) - data.keys()
  if v370:
   raise Invalid('config must contain ' + (str(sorted(v370)) + ' properties'))
  v401 = set(data.keys())
  if '$schema' in v401:
   v401.remove('$schema')
   v395 = data['$schema']
   if not isinstance(v395, str):
    raise Invalid('config.$schema must be string')
   if isinstance(v395, str):
    v382 = len(v395)
    if v382 > 1000:
     raise Invalid('config.$schema must be shorter than or equal to 1000 characters')
  if 'version' in v401:
   v401.remove('version')
   v391 = data['version']
   if not isinstance(v391, str):
    raise Invalid('config.version must be string')
   if v391 not in ['1.0']:
    raise Invalid("config.version must be one of ['1.0']")
  if 'product_name' in v401:
   v401.remove('product_name')
   v377 = data['product_name']
   if not isinstance(v377, str):
    raise Invalid('config.product_name must be string')
   if v377 not in ['relais']:
    raise Invalid("config.product_name must be one of ['relais']")
  if 'workspace_dir' in v401:
   v401.remove('workspace_dir')
   v373 = data['workspace_dir']
   if not isinstance(v373, str):
    raise Invalid('config.workspace_dir must be string')
   if isinstance(v373, str):
    v341 = len(v373)
    if v341 < 1:
     raise Invalid('config.workspace_dir must be longer than or equal to 1 characters')
    if v341 > 100:
     raise Invalid('config.workspace_dir must be shorter than or equal to 100 characters')
    if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v373):
     raise Invalid('config.workspace_dir must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
  if 'runner' in v401:
   v401.remove('runner')
   v394 = data['runner']
   if not isinstance(v394, dict):
    raise Invalid('config.runner must be object')
   v358 = isinstance(v394, dict)
   if v358:
    v308 = set([]) - v394.keys()
    if v308:
     raise Invalid('config.runner must contain ' + (str(sorted(v308)) + ' properties'))
    v379 = set(v394.keys())
    if 'require_git' in v379:
     v379.remove('require_git')
     v328 = v394['require_git']
     if v328 not in [True]:
      raise Invalid('config.runner.require_git must be one of [True]')
    if 'max_tick_seconds' in v379:
     v379.remove('max_tick_seconds')
     v273 = v394['max_tick_seconds']
     if not isinstance(v273, int) and (not (isinstance(v273, float) and v273.is_integer())) or isinstance(v273, bool):
      raise Invalid('config.runner.max_tick_seconds must be integer')
     if isinstance(v273, (int, float, float)):
      if v273 < 1:
       raise Invalid('config.runner.max_tick_seconds must be bigger than or equal to 1')
      if v273 > 86400:
       raise Invalid('config.runner.max_tick_seconds must be smaller than or equal to 86400')
    if 'lockfile' in v379:
     v379.remove('lockfile')
     v339 = v394['lockfile']
     if not isinstance(v339, str):
      raise Invalid('config.runner.lockfile must be string')
     if isinstance(v339, str):
      v307 = len(v339)
      if v307 > 1000:
       raise Invalid('config.runner.lockfile must be shorter than or equal to 1000 characters')
    if 'runner_owned_globs' in v379:
     v379.remove('runner_owned_globs')
     v248 = v394['runner_owned_globs']
     if not isinstance(v248, (list, tuple)):
      raise Invalid('config.runner.runner_owned_globs must be array')
     v105 = isinstance(v248, (list, tuple))
     if v105:
      v171 = len(v248)
      if v171 > 200:
       raise Invalid('config.runner.runner_owned_globs must contain less than or equal to 200 items')
      for v214, v151 in enumerate(v248):
       if not isinstance(v151, str):
        raise Invalid('config' + '.runner.runner_owned_globs[{v214}]'.format(**locals()) + ' must be string')
       if isinstance(v151, str):
        v92 = len(v151)
        if v92 < 1:
         raise Invalid('config' + '.runner.runner_owned_globs[{v214}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v92 > 200:
         raise Invalid('config' + '.runner.runner_owned_globs[{v214}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'crash_cleanup' in v379:
     v379.remove('crash_cleanup')
     v306 = v394['crash_cleanup']
     if not isinstance(v306, dict):
      raise Invalid('config.runner.crash_cleanup must be object')
     v170 = isinstance(v306, dict)
     if v170:
      v75 = set([]) - v306.keys()
      if v75:
       raise Invalid('config.runner.crash_cleanup must contain ' + (str(sorted(v75)) + ' properties'))
      v229 = set(v306.keys())
      if 'delete_tmp_glob' in v229:
       v229.remove('delete_tmp_glob')
       v61 = v306['delete_tmp_glob']
       if not isinstance(v61, str):
        raise Invalid('config.runner.crash_cleanup.delete_tmp_glob must be string')
       if isinstance(v61, str):
        v28 = len(v61)
        if v28 > 1000:
         raise Invalid('config.runner.crash_cleanup.delete_tmp_glob must be shorter than or equal to 1000 characters')
      if 'validate_runner_json_files' in v229:
       v229.remove('validate_runner_json_files')
       v11 = v306['validate_runner_json_files']
       if not isinstance(v11, bool):
        raise Invalid('config.runner.crash_cleanup.validate_runner_json_files must be boolean')
      if v229:
       raise Invalid('config.runner.crash_cleanup must not contain ' + str(v229) + ' properties')
    if 'render_report_md' in v379:
     v379.remove('render_report_md')
     v274 = v394['render_report_md']
     if not isinstance(v274, dict):
      raise Invalid('config.runner.render_report_md must be object')
     v133 = isinstance(v274, dict)
     if v133:
      v48 = set([]) - v274.keys()
      if v48:
       raise Invalid('config.runner.render_report_md must contain ' + (str(sorted(v48)) + ' properties'))
      v194 = set(v274.keys())
      if 'enabled' in v194:
       v194.remove('enabled')
       v120 = v274['enabled']
       if not isinstance(v120, bool):
        raise Invalid('config.runner.render_report_md.enabled must be boolean')
      if 'max_chars' in v194:
       v194.remove('max_chars')
       v104 = v274['max_chars']
       if not isinstance(v104, int) and (not (isinstance(v104, float) and v104.is_integer())) or isinstance(v104, bool):
        raise Invalid('config.runner.render_report_md.max_chars must be integer')
       if isinstance(v104, (int, float, float)):
        if v104 < 500:
         raise Invalid('config.runner.render_report_md.max_chars must be bigger than or equal to 500')
        if v104 > 100000:
         raise Invalid('config.runner.render_report_md.max_chars must be smaller than or equal to 100000')
      if v194:
       raise Invalid('config.runner.render_report_md must not contain ' + str(v194) + ' properties')
    if 'silence_seconds' in v379:
     v379.remove('silence_seconds')
     v275 = v394['silence_seconds']
     if not isinstance(v275, int) and (not (isinstance(v275, float) and v275.is_integer())) or isinstance(v275, bool):
      raise Invalid('config.runner.silence_seconds must be integer')
     if isinstance(v275, (int, float, float)):
      if v275 < 1:
       raise Invalid('config.runner.silence_seconds must be bigger than or equal to 1')
    if 'result_grace_seconds' in v379:
     v379.remove('result_grace_seconds')
     v213 = v394['result_grace_seconds']
     if not isinstance(v213, int) and (not (isinstance(v213, float) and v213.is_integer())) or isinstance(v213, bool):
      raise Invalid('config.runner.result_grace_seconds must be integer')
     if isinstance(v213, (int, float, float)):
      if v213 < 0:
       raise Invalid('config.runner.result_grace_seconds must be bigger than or equal to 0')
      if v213 > 600:
       raise Invalid('config.runner.result_grace_seconds must be smaller than or equal to 600')
    if 'kill_grace_seconds' in v379:
     v379.remove('kill_grace_seconds')
     v247 = v394['kill_grace_seconds']
     if not isinstance(v247, int) and (not (isinstance(v247, float) and v247.is_integer())) or isinstance(v247, bool):
      raise Invalid('config.runner.kill_grace_seconds must be integer')
     if isinstance(v247, (int, float, float)):
      if v247 < 0:
       raise Invalid('config.runner.kill_grace_seconds must be bigger than or equal to 0')
      if v247 > 60:
       raise Invalid('config.runner.kill_grace_seconds must be smaller than or equal to 60')
    if 'sandbox' in v379:
     v379.remove('sandbox')
     v350 = v394['sandbox']
     if not isinstance(v350, str):
      raise Invalid('config.runner.sandbox must be string')
     if v350 not in ['auto', 'on', 'off']:
      raise Invalid("config.runner.sandbox must be one of ['auto', 'on', 'off']")
    if v379:
     raise Invalid('config.runner must not contain ' + str(v379) + ' properties')
  if 'claude_code_cli' in v401:
   v401.remove('claude_code_cli')
   v359 = data['claude_code_cli']
   if not isinstance(v359, dict):
    raise Invalid('config.claude_code_cli must be object')
   v282 = isinstance(v359, dict)
   if v282:
    v182 = set([]) - v359.keys()
    if v182:
     raise Invalid('config.claude_code_cli must contain ' + (str(sorted(v182)) + ' properties'))
    v322 = set(v359.keys())
    if 'command' in v322:
     v322.remove('command')
     v266 = v359['command']
     if not isinstance(v266, str):
      raise Invalid('config.claude_code_cli.command must be string')
     if isinstance(v266, str):
      v202 = len(v266)
      if v202 < 1:
       raise Invalid('config.claude_code_cli.command must be longer than or equal to 1 characters')
      if v202 > 300:
       raise Invalid('config.claude_code_cli.command must be shorter than or equal to 300 characters')
    if 'output_format' in v322:
     v322.remove('output_format')
     v183 = v359['output_format']
     if not isinstance(v183, str):
      raise Invalid('config.claude_code_cli.output_format must be string')
     if v183 not in ['json', 'stream-json']:
      raise Invalid("config.claude_code_cli.output_format must be one of ['json', 'stream-json']")
    if 'no_session_persistence' in v322:
     v322.remove('no_session_persistence')
     v58 = v359['no_session_persistence']
     if not isinstance(v58, bool):
      raise Invalid('config.claude_code_cli.no_session_persistence must be boolean')
    if 'setting_sources' in v322:
     v322.remove('setting_sources')
     v146 = v359['setting_sources']
     if not isinstance(v146, str):
      raise Invalid('config.claude_code_cli.setting_sources must be string')
     if isinstance(v146, str):
      v87 = len(v146)
      if v87 > 1000:
       raise Invalid('config.claude_code_cli.setting_sources must be shorter than or equal to 1000 characters')
    if v322:
     raise Invalid('config.claude_code_cli must not contain ' + str(v322) + ' properties')
  if 'models' in v401:
   v401.remove('models')
   v392 = data['models']
   if not isinstance(v392, dict):
    raise Invalid('config.models must be object')
   v355 = isinstance(v392, dict)
   if v355:
    v301 = set([]) - v392.keys()
    if v301:
     raise Invalid('config.models must contain ' + (str(sorted(v301)) + ' properties'))
    v376 = set(v392.keys())
    if 'orchestrator_model' in v376:
     v376.remove('orchestrator_model')
     v227 = v392['orchestrator_model']
     if not isinstance(v227, str):
      raise Invalid('config.models.orchestrator_model must be string')
     if isinstance(v227, str):
      v150 = len(v227)
      if v150 > 1000:
       raise Invalid('config.models.orchestrator_model must be shorter than or equal to 1000 characters')
    if 'orchestrator_fallback_model' in v376:
     v376.remove('orchestrator_fallback_model')
     v91 = v392['orchestrator_fallback_model']
     if not isinstance(v91, str):
      raise Invalid('config.models.orchestrator_fallback_model must be string')
     if isinstance(v91, str):
      v39 = len(v91)
      if v39 > 1000:
       raise Invalid('config.models.orchestrator_fallback_model must be shorter than or equal to 1000 characters')
    if 'builder_model' in v376:
     v376.remove('builder_model')
     v300 = v392['builder_model']
     if not isinstance(v300, str):
      raise Invalid('config.models.builder_model must be string')
     if isinstance(v300, str):
      v244 = len(v300)
      if v244 > 1000:
       raise Invalid('config.models.builder_model must be shorter than or equal to 1000 characters')
    if 'builder_fallback_model' in v376:
     v376.remove('builder_fallback_model')
     v163 = v392['builder_fallback_model']
     if not isinstance(v163, str):
      raise Invalid('config.models.builder_fallback_model must be string')
     if isinstance(v163, str):
      v101 = len(v163)
      if v101 > 1000:
       raise Invalid('config.models.builder_fallback_model must be shorter than or equal to 1000 characters')
    if v376:
     raise Invalid('config.models must not contain ' + str(v376) + ' properties')
  if 'orchestrator' in v401:
   v401.remove('orchestrator')
   v371 = data['orchestrator']
   if not isinstance(v371, dict):
    raise Invalid('config.orchestrator must be object')
   v302 = isinstance(v371, dict)
   if v302:
    v211 = set([]) - v371.keys()
    if v211:
     raise Invalid('config.orchestrator must contain ' + (str(sorted(v211)) + ' properties'))
    v332 = set(v371.keys())
    if 'max_turns' in v332:
     v332.remove('max_turns')
     v270 = v371['max_turns']
     if not isinstance(v270, int) and (not (isinstance(v270, float) and v270.is_integer())) or isinstance(v270, bool):
      raise Invalid('config.orchestrator.max_turns must be integer')
     if isinstance(v270, (int, float, float)):
      if v270 < 1:
       raise Invalid('config.orchestrator.max_turns must be bigger than or equal to 1')
    if 'permission_mode' in v332:
     v332.remove('permission_mode')
     v165 = v371['permission_mode']
     if not isinstance(v165, str):
      raise Invalid('config.orchestrator.permission_mode must be string')
     if v165 not in ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']:
      raise Invalid("config.orchestrator.permission_mode must be one of ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']")
    if 'allowed_tools' in v332:
     v332.remove('allowed_tools')
     v209 = v371['allowed_tools']
     if not isinstance(v209, str):
      raise Invalid('config.orchestrator.allowed_tools must be string')
     if isinstance(v209, str):
      v131 = len(v209)
      if v131 > 1000:
       raise Invalid('config.orchestrator.allowed_tools must be shorter than or equal to 1000 characters')
    if 'system_prompt_file' in v332:
     v332.remove('system_prompt_file')
     v132 = v371['system_prompt_file']
     if not isinstance(v132, str):
      raise Invalid('config.orchestrator.system_prompt_file must be string')
     if isinstance(v132, str):
      v74 = len(v132)
      if v74 > 1000:
       raise Invalid('config.orchestrator.system_prompt_file must be shorter than or equal to 1000 characters')
    if 'user_prompt_file' in v332:
     v332.remove('user_prompt_file')
     v168 = v371['user_prompt_file']
     if not isinstance(v168, str):
      raise Invalid('config.orchestrator.user_prompt_file must be string')
     if isinstance(v168, str):
      v103 = len(v168)
      if v103 > 1000:
       raise Invalid('config.orchestrator.user_prompt_file must be shorter than or equal to 1000 characters')
    if 'task_schema_file' in v332:
     v332.remove('task_schema_file')
     v166 = v371['task_schema_file']
     if not isinstance(v166, str):
      raise Invalid('config.orchestrator.task_schema_file must be string')
     if isinstance(v166, str):
      v102 = len(v166)
      if v102 > 1000:
       raise Invalid('config.orchestrator.task_schema_file must be shorter than or equal to 1000 characters')
    if 'max_parse_retries_per_tick' in v332:
     v332.remove('max_parse_retries_per_tick')
     v47 = v371['max_parse_retries_per_tick']
     if not isinstance(v47, int) and (not (isinstance(v47, float) and v47.is_integer())) or isinstance(v47, bool):
      raise Invalid('config.orchestrator.max_parse_retries_per_tick must be integer')
     if isinstance(v47, (int, float, float)):
      if v47 < 0:
       raise Invalid('config.orchestrator.max_parse_retries_per_tick must be bigger than or equal to 0')
      if v47 > 1:
       raise Invalid('config.orchestrator.max_parse_retries_per_tick must be smaller than or equal to 1')
    if 'max_budget_usd' in v332:
     v332.remove('max_budget_usd')
     v210 = v371['max_budget_usd']
     if not isinstance(v210, (int, float, float, NoneType)) or isinstance(v210, bool):
      raise Invalid('config.orchestrator.max_budget_usd must be number or null')
     if isinstance(v210, (int, float, float)):
      if v210 < 0:
       raise Invalid('config.orchestrator.max_budget_usd must be bigger than or equal to 0')
    if 'timeout_seconds' in v332:
     v332.remove('timeout_seconds')
     v167 = v371['timeout_seconds']
     if not isinstance(v167, int) and (not (isinstance(v167, float) and v167.is_integer())) or isinstance(v167, bool):
      raise Invalid('config.orchestrator.timeout_seconds must be integer')
     if isinstance(v167, (int, float, float)):
      if v167 < 1:
       raise Invalid('config.orchestrator.timeout_seconds must be bigger than or equal to 1')
    if 'max_prompt_chars' in v332:
     v332.remove('max_prompt_chars')
     v164 = v371['max_prompt_chars']
     if not isinstance(v164, int) and (not (isinstance(v164, float) and v164.is_integer())) or isinstance(v164, bool):
      raise Invalid('config.orchestrator.max_prompt_chars must be integer')
     if isinstance(v164, (int, float, float)):
      if v164 < 8000:
       raise Invalid('config.orchestrator.max_prompt_chars must be bigger than or equal to 8000')
      if v164 > 400000:
       raise Invalid('config.orchestrator.max_prompt_chars must be smaller than or equal to 400000')
    if v332:
     raise Invalid('config.orchestrator must not contain ' + str(v332) + ' properties')
  if 'builder' in v401:
   v401.remove('builder')
   v388 = data['builder']
   if not isinstance(v388, dict):
    raise Invalid('config.builder must be object')
   v344 = isinstance(v388, dict)
   if v344:
    v281 = set([]) - v388.keys()
    if v281:
     raise Invalid('config.builder must contain ' + (str(sorted(v281)) + ' properties'))
    v365 = set(v388.keys())
    if 'default_mode' in v365:
     v365.remove('default_mode')
     v296 = v388['default_mode']
     if not isinstance(v296, str):
      raise Invalid('config.builder.default_mode must be string')
     if v296 not in ['claude_code', 'patch', 'cursor']:
      raise Invalid("config.builder.default_mode must be one of ['claude_code', 'patch', 'cursor']")
    if 'allow_patch_mode' in v365:
     v365.remove('allow_patch_mode')
     v253 = v388['allow_patch_mode']
     if not isinstance(v253, bool):
      raise Invalid('config.builder.allow_patch_mode must be boolean')
    if 'claude_code' in v365:
     v365.remove('claude_code')
     v313 = v388['claude_code']
     if not isinstance(v313, dict):
      raise Invalid('config.builder.claude_code must be object')
     v180 = isinstance(v313, dict)
     if v180:
      v86 = set([]) - v313.keys()
      if v86:
       raise Invalid('config.builder.claude_code must contain ' + (str(sorted(v86)) + ' properties'))
      v237 = set(v313.keys())
      if 'max_turns' in v237:
       v237.remove('max_turns')
       v143 = v313['max_turns']
       if not isinstance(v143, int) and (not (isinstance(v143, float) and v143.is_integer())) or isinstance(v143, bool):
        raise Invalid('config.builder.claude_code.max_turns must be integer')
       if isinstance(v143, (int, float, float)):
        if v143 < 1:
         raise Invalid('config.builder.claude_code.max_turns must be bigger than or equal to 1')
        if v143 > 40:
         raise Invalid('config.builder.claude_code.max_turns must be smaller than or equal to 40')
      if 'permission_mode' in v237:
       v237.remove('permission_mode')
       v55 = v313['permission_mode']
       if not isinstance(v55, str):
        raise Invalid('config.builder.claude_code.permission_mode must be string')
       if v55 not in ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']:
        raise Invalid("config.builder.claude_code.permission_mode must be one of ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']")
      if 'allowed_tools' in v237:
       v237.remove('allowed_tools')
       v84 = v313['allowed_tools']
       if not isinstance(v84, str):
        raise Invalid('config.builder.claude_code.allowed_tools must be string')
       if isinstance(v84, str):
        v36 = len(v84)
        if v36 > 1000:
         raise Invalid('config.builder.claude_code.allowed_tools must be shorter than or equal to 1000 characters')
      if 'system_prompt_file' in v237:
       v237.remove('system_prompt_file')
       v37 = v313['system_prompt_file']
       if not isinstance(v37, str):
        raise Invalid('config.builder.claude_code.system_prompt_file must be string')
       if isinstance(v37, str):
        v21 = len(v37)
        if v21 > 1000:
         raise Invalid('config.builder.claude_code.system_prompt_file must be shorter than or equal to 1000 characters')
      if 'user_prompt_file' in v237:
       v237.remove('user_prompt_file')
       v57 = v313['user_prompt_file']
       if not isinstance(v57, str):
        raise Invalid('config.builder.claude_code.user_prompt_file must be string')
       if isinstance(v57, str):
        v26 = len(v57)
        if v26 > 1000:
         raise Invalid('config.builder.claude_code.user_prompt_file must be shorter than or equal to 1000 characters')
      if 'builder_result_schema_file' in v237:
       v237.remove('builder_result_schema_file')
       v12 = v313['builder_result_schema_file']
       if not isinstance(v12, str):
        raise Invalid('config.builder.claude_code.builder_result_schema_file must be string')
       if isinstance(v12, str):
        v8 = len(v12)
        if v8 > 1000:
         raise Invalid('config.builder.claude_code.builder_result_schema_file must be shorter than or equal to 1000 characters')
      if 'max_budget_usd' in v237:
       v237.remove('max_budget_usd')
       v85 = v313['max_budget_usd']
       if not isinstance(v85, (int, float, float, NoneType)) or isinstance(v85, bool):
        raise Invalid('config.builder.claude_code.max_budget_usd must be number or null')
       if isinstance(v85, (int, float, float)):
        if v85 < 0:
         raise Invalid('config.builder.claude_code.max_budget_usd must be bigger than or equal to 0')
      if 'strict_builder_json' in v237:
       v237.remove('strict_builder_json')
       v31 = v313['strict_builder_json']
       if not isinstance(v31, bool):
        raise Invalid('config.builder.claude_code.strict_builder_json must be boolean')
      if 'timeout_seconds' in v237:
       v237.remove('timeout_seconds')
       v56 = v313['timeout_seconds']
       if not isinstance(v56, int) and (not (isinstance(v56, float) and v56.is_integer())) or isinstance(v56, bool):
        raise Invalid('config.builder.claude_code.timeout_seconds must be integer')
       if isinstance(v56, (int, float, float)):
        if v56 < 1:
         raise Invalid('config.builder.claude_code.timeout_seconds must be bigger than or equal to 1')
      if v237:
       raise Invalid('config.builder.claude_code must not contain ' + str(v237) + ' properties')
    if 'patch' in v365:
     v365.remove('patch')
     v352 = v388['patch']
     if not isinstance(v352, dict):
      raise Invalid('config.builder.patch must be object')
     v265 = isinstance(v352, dict)
     if v265:
      v157 = set([]) - v352.keys()
      if v157:
       raise Invalid('config.builder.patch must contain ' + (str(sorted(v157)) + ' properties'))
      v314 = set(v352.keys())
      if 'max_patch_attempts_per_milestone' in v314:
       v314.remove('max_patch_attempts_per_milestone')
       v13 = v352['max_patch_attempts_per_milestone']
       if not isinstance(v13, int) and (not (isinstance(v13, float) and v13.is_integer())) or isinstance(v13, bool):
        raise Invalid('config.builder.patch.max_patch_attempts_per_milestone must be integer')
       if isinstance(v13, (int, float, float)):
        if v13 < 0:
         raise Invalid('config.builder.patch.max_patch_attempts_per_milestone must be bigger than or equal to 0')
      if v314:
       raise Invalid('config.builder.patch must not contain ' + str(v314) + ' properties')
    if 'cursor' in v365:
     v365.remove('cursor')
     v343 = v388['cursor']
     if not isinstance(v343, dict):
      raise Invalid('config.builder.cursor must be object')
     v255 = isinstance(v343, dict)
     if v255:
      v145 = set([]) - v343.keys()
      if v145:
       raise Invalid('config.builder.cursor must contain ' + (str(sorted(v145)) + ' properties'))
      v295 = set(v343.keys())
      if 'command' in v295:
       v295.remove('command')
       v238 = v343['command']
       if not isinstance(v238, str):
        raise Invalid('config.builder.cursor.command must be string')
       if isinstance(v238, str):
        v156 = len(v238)
        if v156 > 1000:
         raise Invalid('config.builder.cursor.command must be shorter than or equal to 1000 characters')
      if 'args' in v295:
       v295.remove('args')
       v280 = v343['args']
       if not isinstance(v280, (list, tuple)):
        raise Invalid('config.builder.cursor.args must be array')
       v144 = isinstance(v280, (list, tuple))
       if v144:
        v222 = len(v280)
        if v222 > 100:
         raise Invalid('config.builder.cursor.args must contain less than or equal to 100 items')
        for v254, v201 in enumerate(v280):
         if not isinstance(v201, str):
          raise Invalid('config' + '.builder.cursor.args[{v254}]'.format(**locals()) + ' must be string')
         if isinstance(v201, str):
          v126 = len(v201)
          if v126 > 1000:
           raise Invalid('config' + '.builder.cursor.args[{v254}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
          if not REGEX_PATTERNS['^[^\\x00]*$'].search(v201):
           raise Invalid('config' + '.builder.cursor.args[{v254}]'.format(**locals()) + ' must match pattern ^[^\\x00]*$')
      if 'timeout_seconds' in v295:
       v295.remove('timeout_seconds')
       v113 = v343['timeout_seconds']
       if not isinstance(v113, int) and (not (isinstance(v113, float) and v113.is_integer())) or isinstance(v113, bool):
        raise Invalid('config.builder.cursor.timeout_seconds must be integer')
       if isinstance(v113, (int, float, float)):
        if v113 < 1:
         raise Invalid('config.builder.cursor.timeout_seconds must be bigger than or equal to 1')
      if 'output_file' in v295:
       v295.remove('output_file')
       v181 = v343['output_file']
       if not isinstance(v181, str):
        raise Invalid('config.builder.cursor.output_file must be string')
       if isinstance(v181, str):
        v112 = len(v181)
        if v112 < 1:
         raise Invalid('config.builder.cursor.output_file must be longer than or equal to 1 characters')
        if v112 > 300:
         raise Invalid('config.builder.cursor.output_file must be shorter than or equal to 300 characters')
        if not REGEX_PATTERNS['^[^\\x00-\\x1f]*$'].search(v181):
         raise Invalid('config.builder.cursor.output_file must match pattern ^[^\\x00-\\x1f]*$')
      if v295:
       raise Invalid('config.builder.cursor must not contain ' + str(v295) + ' properties')
    if v365:
     raise Invalid('config.builder must not contain ' + str(v365) + ' properties')
  if 'review' in v401:
   v401.remove('review')
   v393 = data['review']
   if not isinstance(v393, dict):
    raise Invalid('config.review must be object')
   v356 = isinstance(v393, dict)
   if v356:
    v305 = set([]) - v393.keys()
    if v305:
     raise Invalid('config.review must contain ' + (str(sorted(v305)) + ' properties'))
    v378 = set(v393.keys())
    if 'enabled' in v378:
     v378.remove('enabled')
     v348 = v393['enabled']
     if not isinstance(v348, bool):
      raise Invalid('config.review.enabled must be boolean')
    if 'criteria' in v378:
     v378.remove('criteria')
     v338 = v393['criteria']
     if not isinstance(v338, (list, tuple)):
      raise Invalid('config.review.criteria must be array')
     v245 = isinstance(v338, (list, tuple))
     if v245:
      v303 = len(v338)
      if v303 > 20:
       raise Invalid('config.review.criteria must contain less than or equal to 20 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v303 > len(set((fn(v326) for v326 in v338))):
       raise Invalid('config.review.criteria must contain unique items')
      for v326, v289 in enumerate(v338):
       if not isinstance(v289, str):
        raise Invalid('config' + '.review.criteria[{v326}]'.format(**locals()) + ' must be string')
       if isinstance(v289, str):
        v228 = len(v289)
        if v228 < 1:
         raise Invalid('config' + '.review.criteria[{v326}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v228 > 400:
         raise Invalid('config' + '.review.criteria[{v326}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
    if 'system_prompt_file' in v378:
     v378.remove('system_prompt_file')
     v246 = v393['system_prompt_file']
     if not isinstance(v246, str):
      raise Invalid('config.review.system_prompt_file must be string')
     if isinstance(v246, str):
      v169 = len(v246)
      if v169 > 1000:
       raise Invalid('config.review.system_prompt_file must be shorter than or equal to 1000 characters')
    if 'user_prompt_file' in v378:
     v378.remove('user_prompt_file')
     v272 = v393['user_prompt_file']
     if not isinstance(v272, str):
      raise Invalid('config.review.user_prompt_file must be string')
     if isinstance(v272, str):
      v212 = len(v272)
      if v212 > 1000:
       raise Invalid('config.review.user_prompt_file must be shorter than or equal to 1000 characters')
    if 'timeout_seconds' in v378:
     v378.remove('timeout_seconds')
     v271 = v393['timeout_seconds']
     if not isinstance(v271, int) and (not (isinstance(v271, float) and v271.is_integer())) or isinstance(v271, bool):
      raise Invalid('config.review.timeout_seconds must be integer')
     if isinstance(v271, (int, float, float)):
      if v271 < 1:
       raise Invalid('config.review.timeout_seconds must be bigger than or equal to 1')
    if 'max_diff_chars' in v378:
     v378.remove('max_diff_chars')
     v304 = v393['max_diff_chars']
     if not isinstance(v304, int) and (not (isinstance(v304, float) and v304.is_integer())) or isinstance(v304, bool):
      raise Invalid('config.review.max_diff_chars must be integer')
     if isinstance(v304, (int, float, float)):
      if v304 < 1000:
       raise Invalid('config.review.max_diff_chars must be bigger than or equal to 1000')
      if v304 > 1000000:
       raise Invalid('config.review.max_diff_chars must be smaller than or equal to 1000000')
    if v378:
     raise Invalid('config.review must not contain ' + str(v378) + ' properties')
  if 'drivers' in v401:
   v401.remove('drivers')
   v389 = data['drivers']
   if not isinstance(v389, dict):
    raise Invalid('config.drivers must be object')
   v346 = isinstance(v389, dict)
   if v346:
    v366 = set(v389.keys())
    for v374 in v366:
     if v374 not in []:
      v360 = v389.get(v374)
      if not isinstance(v360, dict):
       raise Invalid('config' + '.drivers.{v374}'.format(**locals()) + ' must be object')
      v286 = isinstance(v360, dict)
      if v286:
       v188 = set(['argv', 'result']) - v360.keys()
       if v188:
        raise Invalid('config' + '.drivers.{v374}'.format(**locals()) + ' must contain ' + (str(sorted(v188)) + ' properties'))
       v324 = set(v360.keys())
       if 'argv' in v324:
        v324.remove('argv')
        v315 = v360['argv']
        if not isinstance(v315, (list, tuple)):
         raise Invalid('config' + '.drivers.{v374}.argv'.format(**locals()) + ' must be array')
        v185 = isinstance(v315, (list, tuple))
        if v185:
         v256 = len(v315)
         if v256 < 1:
          raise Invalid('config' + '.drivers.{v374}.argv'.format(**locals()) + ' must contain at least 1 items')
         if v256 > 100:
          raise Invalid('config' + '.drivers.{v374}.argv'.format(**locals()) + ' must contain less than or equal to 100 items')
         for v283, v240 in enumerate(v315):
          if not isinstance(v240, str):
           raise Invalid('config' + '.drivers.{v374}.argv[{v283}]'.format(**locals()) + ' must be string')
          if isinstance(v240, str):
           v158 = len(v240)
           if v158 > 1000:
            raise Invalid('config' + '.drivers.{v374}.argv[{v283}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
           if not REGEX_PATTERNS['^[^\\x00]*$'].search(v240):
            raise Invalid('config' + '.drivers.{v374}.argv[{v283}]'.format(**locals()) + ' must match pattern ^[^\\x00]*$')
       if 'result' in v324:
        v324.remove('result')
        v285 = v360['result']
        if not isinstance(v285, dict):
         raise Invalid('config' + '.drivers.{v374}.result'.format(**locals()) + ' must be object')
        v149 = isinstance(v285, dict)
        if v149:
         v59 = set(['from']) - v285.keys()
         if v59:
          raise Invalid('config' + '.drivers.{v374}.result'.format(**locals()) + ' must contain ' + (str(sorted(v59)) + ' properties'))
         v207 = set(v285.keys())
         if 'from' in v207:
          v207.remove('from')
          v190 = v285['from']
          if not isinstance(v190, str):
           raise Invalid('config' + '.drivers.{v374}.result.from'.format(**locals()) + ' must be string')
          if v190 not in ['json', 'jsonl', 'file', 'stdout']:
           raise Invalid('config' + '.drivers.{v374}.result.from'.format(**locals()) + " must be one of ['json', 'jsonl', 'file', 'stdout']")
         if 'where' in v207:
          v207.remove('where')
          v160 = v285['where']
          if not isinstance(v160, dict):
           raise Invalid('config' + '.drivers.{v374}.result.where'.format(**locals()) + ' must be object')
          v45 = isinstance(v160, dict)
          if v45:
           v89 = set(v160.keys())
           for v98 in v89:
            if v98 not in []:
             v71 = v160.get(v98)
             if not isinstance(v71, (str, int, float, float, bool)):
              raise Invalid('config' + '.drivers.{v374}.result.where.{v98}'.format(**locals()) + ' must be string or number or boolean')
         if 'pick' in v207:
          v207.remove('pick')
          v191 = v285['pick']
          if not isinstance(v191, str):
           raise Invalid('config' + '.drivers.{v374}.result.pick'.format(**locals()) + ' must be string')
          if isinstance(v191, str):
           v117 = len(v191)
           if v117 < 1:
            raise Invalid('config' + '.drivers.{v374}.result.pick'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v117 > 200:
            raise Invalid('config' + '.drivers.{v374}.result.pick'.format(**locals()) + ' must be shorter than or equal to 200 characters')
         if v207:
          raise Invalid('config' + '.drivers.{v374}.result'.format(**locals()) + ' must not contain ' + str(v207) + ' properties')
       if 'must_see' in v324:
        v324.remove('must_see')
        v269 = v360['must_see']
        if not isinstance(v269, dict):
         raise Invalid('config' + '.drivers.{v374}.must_see'.format(**locals()) + ' must be object')
        v129 = isinstance(v269, dict)
        if v129:
         v189 = set(v269.keys())
         for v206 in v189:
          if v206 not in []:
           v159 = v269.get(v206)
           if not isinstance(v159, (str, int, float, float, bool)):
            raise Invalid('config' + '.drivers.{v374}.must_see.{v206}'.format(**locals()) + ' must be string or number or boolean')
       if 'errors' in v324:
        v324.remove('errors')
        v284 = v360['errors']
        if not isinstance(v284, (list, tuple)):
         raise Invalid('config' + '.drivers.{v374}.errors'.format(**locals()) + ' must be array')
        v148 = isinstance(v284, (list, tuple))
        if v148:
         v223 = len(v284)
         if v223 > 10:
          raise Invalid('config' + '.drivers.{v374}.errors'.format(**locals()) + ' must contain less than or equal to 10 items')
         for v257, v204 in enumerate(v284):
          if not isinstance(v204, dict):
           raise Invalid('config' + '.drivers.{v374}.errors[{v257}]'.format(**locals()) + ' must be object')
          v70 = isinstance(v204, dict)
          if v70:
           v24 = set(['pick']) - v204.keys()
           if v24:
            raise Invalid('config' + '.drivers.{v374}.errors[{v257}]'.format(**locals()) + ' must contain ' + (str(sorted(v24)) + ' properties'))
           v115 = set(v204.keys())
           if 'where' in v115:
            v115.remove('where')
            v88 = v204['where']
            if not isinstance(v88, dict):
             raise Invalid('config' + '.drivers.{v374}.errors[{v257}].where'.format(**locals()) + ' must be object')
            v22 = isinstance(v88, dict)
            if v22:
             v32 = set(v88.keys())
             for v38 in v32:
              if v38 not in []:
               v27 = v88.get(v38)
               if not isinstance(v27, (str, int, float, float, bool)):
                raise Invalid('config' + '.drivers.{v374}.errors[{v257}].where.{v38}'.format(**locals()) + ' must be string or number or boolean')
           if 'pick' in v115:
            v115.remove('pick')
            v97 = v204['pick']
            if not isinstance(v97, str):
             raise Invalid('config' + '.drivers.{v374}.errors[{v257}].pick'.format(**locals()) + ' must be string')
            if isinstance(v97, str):
             v44 = len(v97)
             if v44 < 1:
              raise Invalid('config' + '.drivers.{v374}.errors[{v257}].pick'.format(**locals()) + ' must be longer than or equal to 1 characters')
             if v44 > 200:
              raise Invalid('config' + '.drivers.{v374}.errors[{v257}].pick'.format(**locals()) + ' must be shorter than or equal to 200 characters')
           if v115:
            raise Invalid('config' + '.drivers.{v374}.errors[{v257}]'.format(**locals()) + ' must not contain ' + str(v115) + ' properties')
       if 'error_if' in v324:
        v324.remove('error_if')
        v267 = v360['error_if']
        if not isinstance(v267, (list, tuple)):
         raise Invalid('config' + '.drivers.{v374}.error_if'.format(**locals()) + ' must be array')
        v127 = isinstance(v267, (list, tuple))
        if v127:
         v203 = len(v267)
         if v203 > 50:
          raise Invalid('config' + '.drivers.{v374}.error_if'.format(**locals()) + ' must contain less than or equal to 50 items')
         for v241, v186 in enumerate(v267):
          if not isinstance(v186, str):
           raise Invalid('config' + '.drivers.{v374}.error_if[{v241}]'.format(**locals()) + ' must be string')
          if isinstance(v186, str):
           v114 = len(v186)
           if v114 < 1:
            raise Invalid('config' + '.drivers.{v374}.error_if[{v241}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v114 > 500:
            raise Invalid('config' + '.drivers.{v374}.error_if[{v241}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
       if 'limit_if' in v324:
        v324.remove('limit_if')
        v268 = v360['limit_if']
        if not isinstance(v268, (list, tuple)):
         raise Invalid('config' + '.drivers.{v374}.limit_if'.format(**locals()) + ' must be array')
        v128 = isinstance(v268, (list, tuple))
        if v128:
         v205 = len(v268)
         if v205 > 50:
          raise Invalid('config' + '.drivers.{v374}.limit_if'.format(**locals()) + ' must contain less than or equal to 50 items')
         for v242, v187 in enumerate(v268):
          if not isinstance(v187, str):
           raise Invalid('config' + '.drivers.{v374}.limit_if[{v242}]'.format(**locals()) + ' must be string')
          if isinstance(v187, str):
           v116 = len(v187)
           if v116 < 1:
            raise Invalid('config' + '.drivers.{v374}.limit_if[{v242}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v116 > 500:
            raise Invalid('config' + '.drivers.{v374}.limit_if[{v242}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
       if 'usage' in v324:
        v324.remove('usage')
        v297 = v360['usage']
        if not isinstance(v297, dict):
         raise Invalid('config' + '.drivers.{v374}.usage'.format(**locals()) + ' must be object')
        v161 = isinstance(v297, dict)
        if v161:
         v72 = set(['pick']) - v297.keys()
         if v72:
          raise Invalid('config' + '.drivers.{v374}.usage'.format(**locals()) + ' must contain ' + (str(sorted(v72)) + ' properties'))
         v224 = set(v297.keys())
         if 'where' in v224:
          v224.remove('where')
          v192 = v297['where']
          if not isinstance(v192, dict):
           raise Invalid('config' + '.drivers.{v374}.usage.where'.format(**locals()) + ' must be object')
          v60 = isinstance(v192, dict)
          if v60:
           v100 = set(v192.keys())
           for v119 in v100:
            if v119 not in []:
             v90 = v192.get(v119)
             if not isinstance(v90, (str, int, float, float, bool)):
              raise Invalid('config' + '.drivers.{v374}.usage.where.{v119}'.format(**locals()) + ' must be string or number or boolean')
         if 'pick' in v224:
          v224.remove('pick')
          v208 = v297['pick']
          if not isinstance(v208, dict):
           raise Invalid('config' + '.drivers.{v374}.usage.pick'.format(**locals()) + ' must be object')
          v73 = isinstance(v208, dict)
          if v73:
           v118 = set(v208.keys())
           for v130 in v118:
            if v130 not in []:
             v99 = v208.get(v130)
             if not isinstance(v99, str):
              raise Invalid('config' + '.drivers.{v374}.usage.pick.{v130}'.format(**locals()) + ' must be string')
             if isinstance(v99, str):
              v46 = len(v99)
              if v46 < 1:
               raise Invalid('config' + '.drivers.{v374}.usage.pick.{v130}'.format(**locals()) + ' must be longer than or equal to 1 characters')
              if v46 > 200:
               raise Invalid('config' + '.drivers.{v374}.usage.pick.{v130}'.format(**locals()) + ' must be shorter than or equal to 200 characters')
         if v224:
          raise Invalid('config' + '.drivers.{v374}.usage'.format(**locals()) + ' must not contain ' + str(v224) + ' properties')
       if 'confines_itself' in v324:
        v324.remove('confines_itself')
        v147 = v360['confines_itself']
        if not isinstance(v147, bool):
         raise Invalid('config' + '.drivers.{v374}.confines_itself'.format(**locals()) + ' must be boolean')
       if v324:
        raise Invalid('config' + '.drivers.{v374}'.format(**locals()) + ' must not contain ' + str(v324) + ' properties')
  if 'roles' in v401:
   v401.remove('roles')
   v397 = data['roles']
   if not isinstance(v397, dict):
    raise Invalid('config.roles must be object')
   v362 = isinstance(v397, dict)
   if v362:
    v317 = set([]) - v397.keys()
    if v317:
     raise Invalid('config.roles must contain ' + (str(sorted(v317)) + ' properties'))
    v381 = set(v397.keys())
    if 'orchestrator' in v381:
     v381.remove('orchestrator')
     v318 = v397['orchestrator']
     if not isinstance(v318, str):
      raise Invalid('config.roles.orchestrator must be string')
     if isinstance(v318, str):
      v260 = len(v318)
      if v260 < 1:
       raise Invalid('config.roles.orchestrator must be longer than or equal to 1 characters')
      if v260 > 64:
       raise Invalid('config.roles.orchestrator must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v318):
       raise Invalid('config.roles.orchestrator must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'builder' in v381:
     v381.remove('builder')
     v357 = v397['builder']
     if not isinstance(v357, str):
      raise Invalid('config.roles.builder must be string')
     if isinstance(v357, str):
      v327 = len(v357)
      if v327 < 1:
       raise Invalid('config.roles.builder must be longer than or equal to 1 characters')
      if v327 > 64:
       raise Invalid('config.roles.builder must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v357):
       raise Invalid('config.roles.builder must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'reviewer' in v381:
     v381.remove('reviewer')
     v349 = v397['reviewer']
     if not isinstance(v349, str):
      raise Invalid('config.roles.reviewer must be string')
     if isinstance(v349, str):
      v319 = len(v349)
      if v319 < 1:
       raise Invalid('config.roles.reviewer must be longer than or equal to 1 characters')
      if v319 > 64:
       raise Invalid('config.roles.reviewer must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v349):
       raise Invalid('config.roles.reviewer must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if v381:
     raise Invalid('config.roles must not contain ' + str(v381) + ' properties')
  if 'scope' in v401:
   v401.remove('scope')
   v398 = data['scope']
   if not isinstance(v398, dict):
    raise Invalid('config.scope must be object')
   v363 = isinstance(v398, dict)
   if v363:
    v321 = set([]) - v398.keys()
    if v321:
     raise Invalid('config.scope must contain ' + (str(sorted(v321)) + ' properties'))
    v383 = set(v398.keys())
    if 'default_allowed_globs' in v383:
     v383.remove('default_allowed_globs')
     v216 = v398['default_allowed_globs']
     if not isinstance(v216, (list, tuple)):
      raise Invalid('config.scope.default_allowed_globs must be array')
     v77 = isinstance(v216, (list, tuple))
     if v77:
      v135 = len(v216)
      if v135 > 200:
       raise Invalid('config.scope.default_allowed_globs must contain less than or equal to 200 items')
      for v174, v122 in enumerate(v216):
       if not isinstance(v122, str):
        raise Invalid('config' + '.scope.default_allowed_globs[{v174}]'.format(**locals()) + ' must be string')
       if isinstance(v122, str):
        v63 = len(v122)
        if v63 < 1:
         raise Invalid('config' + '.scope.default_allowed_globs[{v174}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v63 > 200:
         raise Invalid('config' + '.scope.default_allowed_globs[{v174}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'default_forbidden_globs' in v383:
     v383.remove('default_forbidden_globs')
     v175 = v398['default_forbidden_globs']
     if not isinstance(v175, (list, tuple)):
      raise Invalid('config.scope.default_forbidden_globs must be array')
     v49 = isinstance(v175, (list, tuple))
     if v49:
      v106 = len(v175)
      if v106 > 200:
       raise Invalid('config.scope.default_forbidden_globs must contain less than or equal to 200 items')
      for v136, v93 in enumerate(v175):
       if not isinstance(v93, str):
        raise Invalid('config' + '.scope.default_forbidden_globs[{v136}]'.format(**locals()) + ' must be string')
       if isinstance(v93, str):
        v40 = len(v93)
        if v40 < 1:
         raise Invalid('config' + '.scope.default_forbidden_globs[{v136}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v40 > 200:
         raise Invalid('config' + '.scope.default_forbidden_globs[{v136}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'default_allow_new_files' in v383:
     v383.remove('default_allow_new_files')
     v196 = v398['default_allow_new_files']
     if not isinstance(v196, bool):
      raise Invalid('config.scope.default_allow_new_files must be boolean')
    if 'default_allow_lockfile_changes' in v383:
     v383.remove('default_allow_lockfile_changes')
     v78 = v398['default_allow_lockfile_changes']
     if not isinstance(v78, bool):
      raise Invalid('config.scope.default_allow_lockfile_changes must be boolean')
    if 'lockfiles' in v383:
     v383.remove('lockfiles')
     v340 = v398['lockfiles']
     if not isinstance(v340, (list, tuple)):
      raise Invalid('config.scope.lockfiles must be array')
     v250 = isinstance(v340, (list, tuple))
     if v250:
      v309 = len(v340)
      if v309 > 200:
       raise Invalid('config.scope.lockfiles must contain less than or equal to 200 items')
      for v329, v291 in enumerate(v340):
       if not isinstance(v291, str):
        raise Invalid('config' + '.scope.lockfiles[{v329}]'.format(**locals()) + ' must be string')
       if isinstance(v291, str):
        v230 = len(v291)
        if v230 < 1:
         raise Invalid('config' + '.scope.lockfiles[{v329}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v230 > 200:
         raise Invalid('config' + '.scope.lockfiles[{v329}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'ceiling_globs' in v383:
     v383.remove('ceiling_globs')
     v320 = v398['ceiling_globs']
     if not isinstance(v320, (list, tuple)):
      raise Invalid('config.scope.ceiling_globs must be array')
     v195 = isinstance(v320, (list, tuple))
     if v195:
      v261 = len(v320)
      if v261 > 200:
       raise Invalid('config.scope.ceiling_globs must contain less than or equal to 200 items')
      for v290, v249 in enumerate(v320):
       if not isinstance(v249, str):
        raise Invalid('config' + '.scope.ceiling_globs[{v290}]'.format(**locals()) + ' must be string')
       if isinstance(v249, str):
        v172 = len(v249)
        if v172 < 1:
         raise Invalid('config' + '.scope.ceiling_globs[{v290}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v172 > 200:
         raise Invalid('config' + '.scope.ceiling_globs[{v290}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'protected_globs' in v383:
     v383.remove('protected_globs')
     v292 = v398['protected_globs']
     if not isinstance(v292, (list, tuple)):
      raise Invalid('config.scope.protected_globs must be array')
     v152 = isinstance(v292, (list, tuple))
     if v152:
      v231 = len(v292)
      if v231 > 200:
       raise Invalid('config.scope.protected_globs must contain less than or equal to 200 items')
      for v262, v217 in enumerate(v292):
       if not isinstance(v217, str):
        raise Invalid('config' + '.scope.protected_globs[{v262}]'.format(**locals()) + ' must be string')
       if isinstance(v217, str):
        v137 = len(v217)
        if v137 < 1:
         raise Invalid('config' + '.scope.protected_globs[{v262}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v137 > 200:
         raise Invalid('config' + '.scope.protected_globs[{v262}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'control_files_allowed' in v383:
     v383.remove('control_files_allowed')
     v215 = v398['control_files_allowed']
     if not isinstance(v215, (list, tuple)):
      raise Invalid('config.scope.control_files_allowed must be array')
     v76 = isinstance(v215, (list, tuple))
     if v76:
      v134 = len(v215)
      if v134 > 200:
       raise Invalid('config.scope.control_files_allowed must contain less than or equal to 200 items')
      for v173, v121 in enumerate(v215):
       if not isinstance(v121, str):
        raise Invalid('config' + '.scope.control_files_allowed[{v173}]'.format(**locals()) + ' must be string')
       if isinstance(v121, str):
        v62 = len(v121)
        if v62 < 1:
         raise Invalid('config' + '.scope.control_files_allowed[{v173}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v62 > 200:
         raise Invalid('config' + '.scope.control_files_allowed[{v173}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'volatile_globs' in v383:
     v383.remove('volatile_globs')
     v310 = v398['volatile_globs']
     if not isinstance(v310, (list, tuple)):
      raise Invalid('config.scope.volatile_globs must be array')
     v176 = isinstance(v310, (list, tuple))
     if v176:
      v251 = len(v310)
      if v251 > 200:
       raise Invalid('config.scope.volatile_globs must contain less than or equal to 200 items')
      for v276, v233 in enumerate(v310):
       if not isinstance(v233, str):
        raise Invalid('config' + '.scope.volatile_globs[{v276}]'.format(**locals()) + ' must be string')
       if isinstance(v233, str):
        v154 = len(v233)
        if v154 < 1:
         raise Invalid('config' + '.scope.volatile_globs[{v276}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v154 > 200:
         raise Invalid('config' + '.scope.volatile_globs[{v276}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'secret_scan' in v383:
     v383.remove('secret_scan')
     v333 = v398['secret_scan']
     if not isinstance(v333, bool):
      raise Invalid('config.scope.secret_scan must be boolean')
    if 'secret_allowed_globs' in v383:
     v383.remove('secret_allowed_globs')
     v232 = v398['secret_allowed_globs']
     if not isinstance(v232, (list, tuple)):
      raise Invalid('config.scope.secret_allowed_globs must be array')
     v94 = isinstance(v232, (list, tuple))
     if v94:
      v153 = len(v232)
      if v153 > 200:
       raise Invalid('config.scope.secret_allowed_globs must contain less than or equal to 200 items')
      for v197, v138 in enumerate(v232):
       if not isinstance(v138, str):
        raise Invalid('config' + '.scope.secret_allowed_globs[{v197}]'.format(**locals()) + ' must be string')
       if isinstance(v138, str):
        v79 = len(v138)
        if v79 < 1:
         raise Invalid('config' + '.scope.secret_allowed_globs[{v197}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v79 > 200:
         raise Invalid('config' + '.scope.secret_allowed_globs[{v197}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v383:
     raise Invalid('config.scope must not contain ' + str(v383) + ' properties')
  if 'diff_limits' in v401:
   v401.remove('diff_limits')
   v380 = data['diff_limits']
   if not isinstance(v380, dict):
    raise Invalid('config.diff_limits must be object')
   v323 = isinstance(v380, dict)
   if v323:
    v239 = set([]) - v380.keys()
    if v239:
     raise Invalid('config.diff_limits must contain ' + (str(sorted(v239)) + ' properties'))
    v345 = set(v380.keys())
    if 'default_max_files_touched' in v345:
     v345.remove('default_max_files_touched')
     v68 = v380['default_max_files_touched']
     if not isinstance(v68, int) and (not (isinstance(v68, float) and v68.is_integer())) or isinstance(v68, bool):
      raise Invalid('config.diff_limits.default_max_files_touched must be integer')
     if isinstance(v68, (int, float, float)):
      if v68 < 1:
       raise Invalid('config.diff_limits.default_max_files_touched must be bigger than or equal to 1')
    if 'default_max_lines_changed' in v345:
     v345.remove('default_max_lines_changed')
     v69 = v380['default_max_lines_changed']
     if not isinstance(v69, int) and (not (isinstance(v69, float) and v69.is_integer())) or isinstance(v69, bool):
      raise Invalid('config.diff_limits.default_max_lines_changed must be integer')
     if isinstance(v69, (int, float, float)):
      if v69 < 1:
       raise Invalid('config.diff_limits.default_max_lines_changed must be bigger than or equal to 1')
    if 'default_max_bytes' in v345:
     v345.remove('default_max_bytes')
     v184 = v380['default_max_bytes']
     if not isinstance(v184, int) and (not (isinstance(v184, float) and v184.is_integer())) or isinstance(v184, bool):
      raise Invalid('config.diff_limits.default_max_bytes must be integer')
     if isinstance(v184, (int, float, float)):
      if v184 < 1:
       raise Invalid('config.diff_limits.default_max_bytes must be bigger than or equal to 1')
    if 'ceiling_max_files_touched' in v345:
     v345.remove('ceiling_max_files_touched')
     v66 = v380['ceiling_max_files_touched']
     if not isinstance(v66, (int, NoneType)) and (not (isinstance(v66, float) and v66.is_integer())) or isinstance(v66, bool):
      raise Invalid('config.diff_limits.ceiling_max_files_touched must be integer or null')
     if isinstance(v66, (int, float, float)):
      if v66 < 1:
       raise Invalid('config.diff_limits.ceiling_max_files_touched must be bigger than or equal to 1')
    if 'ceiling_max_lines_changed' in v345:
     v345.remove('ceiling_max_lines_changed')
     v67 = v380['ceiling_max_lines_changed']
     if not isinstance(v67, (int, NoneType)) and (not (isinstance(v67, float) and v67.is_integer())) or isinstance(v67, bool):
      raise Invalid('config.diff_limits.ceiling_max_lines_changed must be integer or null')
     if isinstance(v67, (int, float, float)):
      if v67 < 1:
       raise Invalid('config.diff_limits.ceiling_max_lines_changed must be bigger than or equal to 1')
    if v345:
     raise Invalid('config.diff_limits must not contain ' + str(v345) + ' properties')
  if 'verification' in v401:
   v401.remove('verification')
   v372 = data['verification']
   if not isinstance(v372, dict):
    raise Invalid('config.verification must be object')
   v311 = isinstance(v372, dict)
   if v311:
    v218 = set([]) - v372.keys()
    if v218:
     raise Invalid('config.verification must contain ' + (str(sorted(v218)) + ' properties'))
    v334 = set(v372.keys())
    if 'execution_mode' in v334:
     v334.remove('execution_mode')
     v198 = v372['execution_mode']
     if not isinstance(v198, str):
      raise Invalid('config.verification.execution_mode must be string')
     if v198 not in ['argv_no_shell']:
      raise Invalid("config.verification.execution_mode must be one of ['argv_no_shell']")
    if 'max_param_len' in v334:
     v334.remove('max_param_len')
     v234 = v372['max_param_len']
     if not isinstance(v234, int) and (not (isinstance(v234, float) and v234.is_integer())) or isinstance(v234, bool):
      raise Invalid('config.verification.max_param_len must be integer')
     if isinstance(v234, (int, float, float)):
      if v234 < 1:
       raise Invalid('config.verification.max_param_len must be bigger than or equal to 1')
    if 'reject_whitespace_in_params' in v334:
     v334.remove('reject_whitespace_in_params')
     v34 = v372['reject_whitespace_in_params']
     if not isinstance(v34, bool):
      raise Invalid('config.verification.reject_whitespace_in_params must be boolean')
    if 'reject_dotdot' in v334:
     v334.remove('reject_dotdot')
     v219 = v372['reject_dotdot']
     if not isinstance(v219, bool):
      raise Invalid('config.verification.reject_dotdot must be boolean')
    if 'reject_metachars_regex' in v334:
     v334.remove('reject_metachars_regex')
     v80 = v372['reject_metachars_regex']
     if not isinstance(v80, str):
      raise Invalid('config.verification.reject_metachars_regex must be string')
     if isinstance(v80, str):
      v33 = len(v80)
      if v33 > 1000:
       raise Invalid('config.verification.reject_metachars_regex must be shorter than or equal to 1000 characters')
    if 'timeout_fast_seconds' in v334:
     v334.remove('timeout_fast_seconds')
     v108 = v372['timeout_fast_seconds']
     if not isinstance(v108, int) and (not (isinstance(v108, float) and v108.is_integer())) or isinstance(v108, bool):
      raise Invalid('config.verification.timeout_fast_seconds must be integer')
     if isinstance(v108, (int, float, float)):
      if v108 < 1:
       raise Invalid('config.verification.timeout_fast_seconds must be bigger than or equal to 1')
    if 'timeout_slow_seconds' in v334:
     v334.remove('timeout_slow_seconds')
     v109 = v372['timeout_slow_seconds']
     if not isinstance(v109, int) and (not (isinstance(v109, float) and v109.is_integer())) or isinstance(v109, bool):
      raise Invalid('config.verification.timeout_slow_seconds must be integer')
     if isinstance(v109, (int, float, float)):
      if v109 < 1:
       raise Invalid('config.verification.timeout_slow_seconds must be bigger than or equal to 1')
    if 'required_fast' in v334:
     v334.remove('required_fast')
     v220 = v372['required_fast']
     if not isinstance(v220, (list, tuple)):
      raise Invalid('config.verification.required_fast must be array')
     v81 = isinstance(v220, (list, tuple))
     if v81:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v139 = len(v220)
      if v139 > len(set((fn(v177) for v177 in v220))):
       raise Invalid('config.verification.required_fast must contain unique items')
      for v177, v123 in enumerate(v220):
       if not isinstance(v123, str):
        raise Invalid('config' + '.verification.required_fast[{v177}]'.format(**locals()) + ' must be string')
       if isinstance(v123, str):
        v64 = len(v123)
        if v64 < 1:
         raise Invalid('config' + '.verification.required_fast[{v177}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v64 > 64:
         raise Invalid('config' + '.verification.required_fast[{v177}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v123):
         raise Invalid('config' + '.verification.required_fast[{v177}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'required_slow' in v334:
     v334.remove('required_slow')
     v221 = v372['required_slow']
     if not isinstance(v221, (list, tuple)):
      raise Invalid('config.verification.required_slow must be array')
     v82 = isinstance(v221, (list, tuple))
     if v82:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v140 = len(v221)
      if v140 > len(set((fn(v178) for v178 in v221))):
       raise Invalid('config.verification.required_slow must contain unique items')
      for v178, v124 in enumerate(v221):
       if not isinstance(v124, str):
        raise Invalid('config' + '.verification.required_slow[{v178}]'.format(**locals()) + ' must be string')
       if isinstance(v124, str):
        v65 = len(v124)
        if v65 < 1:
         raise Invalid('config' + '.verification.required_slow[{v178}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v65 > 64:
         raise Invalid('config' + '.verification.required_slow[{v178}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v124):
         raise Invalid('config' + '.verification.required_slow[{v178}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'baseline' in v334:
     v334.remove('baseline')
     v277 = v372['baseline']
     if not isinstance(v277, bool):
      raise Invalid('config.verification.baseline must be boolean')
    if 'sandbox' in v334:
     v334.remove('sandbox')
     v294 = v372['sandbox']
     if not isinstance(v294, bool):
      raise Invalid('config.verification.sandbox must be boolean')
    if 'network' in v334:
     v334.remove('network')
     v293 = v372['network']
     if not isinstance(v293, bool):
      raise Invalid('config.verification.network must be boolean')
    if 'templates' in v334:
     v334.remove('templates')
     v263 = v372['templates']
     if not isinstance(v263, (list, tuple)):
      raise Invalid('config.verification.templates must be array')
     v125 = isinstance(v263, (list, tuple))
     if v125:
      v199 = len(v263)
      if v199 > 64:
       raise Invalid('config.verification.templates must contain less than or equal to 64 items')
      for v235, v179 in enumerate(v263):
       if not isinstance(v179, dict):
        raise Invalid('config' + '.verification.templates[{v235}]'.format(**locals()) + ' must be object')
       v53 = isinstance(v179, dict)
       if v53:
        v19 = set(['id', 'cmd', 'args']) - v179.keys()
        if v19:
         raise Invalid('config' + '.verification.templates[{v235}]'.format(**locals()) + ' must contain ' + (str(sorted(v19)) + ' properties'))
        v96 = set(v179.keys())
        if 'id' in v96:
         v96.remove('id')
         v107 = v179['id']
         if not isinstance(v107, str):
          raise Invalid('config' + '.verification.templates[{v235}].id'.format(**locals()) + ' must be string')
         if isinstance(v107, str):
          v51 = len(v107)
          if v51 < 1:
           raise Invalid('config' + '.verification.templates[{v235}].id'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v51 > 64:
           raise Invalid('config' + '.verification.templates[{v235}].id'.format(**locals()) + ' must be shorter than or equal to 64 characters')
          if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v107):
           raise Invalid('config' + '.verification.templates[{v235}].id'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
        if 'cmd' in v96:
         v96.remove('cmd')
         v95 = v179['cmd']
         if not isinstance(v95, str):
          raise Invalid('config' + '.verification.templates[{v235}].cmd'.format(**locals()) + ' must be string')
         if isinstance(v95, str):
          v41 = len(v95)
          if v41 < 1:
           raise Invalid('config' + '.verification.templates[{v235}].cmd'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v41 > 300:
           raise Invalid('config' + '.verification.templates[{v235}].cmd'.format(**locals()) + ' must be shorter than or equal to 300 characters')
          if not REGEX_PATTERNS['^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$'].search(v95):
           raise Invalid('config' + '.verification.templates[{v235}].cmd'.format(**locals()) + ' must match pattern ^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$')
        if 'args' in v96:
         v96.remove('args')
         v83 = v179['args']
         if not isinstance(v83, (list, tuple)):
          raise Invalid('config' + '.verification.templates[{v235}].args'.format(**locals()) + ' must be array')
         v18 = isinstance(v83, (list, tuple))
         if v18:
          v35 = len(v83)
          if v35 > 40:
           raise Invalid('config' + '.verification.templates[{v235}].args'.format(**locals()) + ' must contain less than or equal to 40 items')
          for v50, v29 in enumerate(v83):
           if not isinstance(v29, str):
            raise Invalid('config' + '.verification.templates[{v235}].args[{v50}]'.format(**locals()) + ' must be string')
           if isinstance(v29, str):
            v16 = len(v29)
            if v16 > 1000:
             raise Invalid('config' + '.verification.templates[{v235}].args[{v50}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
        if 'params' in v96:
         v96.remove('params')
         v52 = v179['params']
         if not isinstance(v52, dict):
          raise Invalid('config' + '.verification.templates[{v235}].params'.format(**locals()) + ' must be object')
         v14 = isinstance(v52, dict)
         if v14:
          v23 = set(v52.keys())
          for v25 in v23:
           if v25 not in []:
            v20 = v52.get(v25)
            if not isinstance(v20, dict):
             raise Invalid('config' + '.verification.templates[{v235}].params.{v25}'.format(**locals()) + ' must be object')
            try:
             v7 = isinstance(v20, dict)
             if v7:
              v2 = set(['kind']) - v20.keys()
              if v2:
               raise Invalid('config' + '.verification.templates[{v235}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
              v10 = set(v20.keys())
              if 'kind' in v10:
               v10.remove('kind')
               v9 = v20['kind']
               if v9 != 'enum':
                raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.kind'.format(**locals()) + ' must be same as const definition: enum')
            except Invalid:
             pass
            else:
             v7 = isinstance(v20, dict)
             if v7:
              v2 = set(['values']) - v20.keys()
              if v2:
               raise Invalid('config' + '.verification.templates[{v235}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
            v7 = isinstance(v20, dict)
            if v7:
             v2 = set(['kind']) - v20.keys()
             if v2:
              raise Invalid('config' + '.verification.templates[{v235}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
             v10 = set(v20.keys())
             if 'kind' in v10:
              v10.remove('kind')
              v9 = v20['kind']
              if not isinstance(v9, str):
               raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.kind'.format(**locals()) + ' must be string')
              if v9 not in ['string_token', 'path', 'integer', 'enum']:
               raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.kind'.format(**locals()) + " must be one of ['string_token', 'path', 'integer', 'enum']")
             if 'values' in v10:
              v10.remove('values')
              v6 = v20['values']
              if not isinstance(v6, (list, tuple)):
               raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values'.format(**locals()) + ' must be array')
              v1 = isinstance(v6, (list, tuple))
              if v1:
               v4 = len(v6)
               if v4 < 1:
                raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values'.format(**locals()) + ' must contain at least 1 items')
               if v4 > 100:
                raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values'.format(**locals()) + ' must contain less than or equal to 100 items')
               for v5, v3 in enumerate(v6):
                if not isinstance(v3, str):
                 raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be string')
                if isinstance(v3, str):
                 v0 = len(v3)
                 if v0 < 1:
                  raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
                 if v0 > 200:
                  raise Invalid('config' + '.verification.templates[{v235}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
             if v10:
              raise Invalid('config' + '.verification.templates[{v235}].params.{v25}'.format(**locals()) + ' must not contain ' + str(v10) + ' properties')
        if v96:
         raise Invalid('config' + '.verification.templates[{v235}]'.format(**locals()) + ' must not contain ' + str(v96) + ' properties')
    if v334:
     raise Invalid('config.verification must not contain ' + str(v334) + ' properties')
  if 'budgets' in v401:
   v401.remove('budgets')
   v387 = data['budgets']
   if not isinstance(v387, dict):
    raise Invalid('config.budgets must be object')
   v342 = isinstance(v387, dict)
   if v342:
    v278 = set([]) - v387.keys()
    if v278:
     raise Invalid('config.budgets must contain ' + (str(sorted(v278)) + ' properties'))
    v364 = set(v387.keys())
    if 'per_milestone' in v364:
     v364.remove('per_milestone')
     v279 = v387['per_milestone']
     if not isinstance(v279, dict):
      raise Invalid('config.budgets.per_milestone must be object')
     v141 = isinstance(v279, dict)
     if v141:
      v54 = set([]) - v279.keys()
      if v54:
       raise Invalid('config.budgets.per_milestone must contain ' + (str(sorted(v54)) + ' properties'))
      v200 = set(v279.keys())
      if 'max_ticks' in v200:
       v200.remove('max_ticks')
       v110 = v279['max_ticks']
       if not isinstance(v110, int) and (not (isinstance(v110, float) and v110.is_integer())) or isinstance(v110, bool):
        raise Invalid('config.budgets.per_milestone.max_ticks must be integer')
       if isinstance(v110, (int, float, float)):
        if v110 < 0:
         raise Invalid('config.budgets.per_milestone.max_ticks must be bigger than or equal to 0')
      if 'max_orchestrator_calls' in v200:
       v200.remove('max_orchestrator_calls')
       v15 = v279['max_orchestrator_calls']
       if not isinstance(v15, int) and (not (isinstance(v15, float) and v15.is_integer())) or isinstance(v15, bool):
        raise Invalid('config.budgets.per_milestone.max_orchestrator_calls must be integer')
       if isinstance(v15, (int, float, float)):
        if v15 < 0:
         raise Invalid('config.budgets.per_milestone.max_orchestrator_calls must be bigger than or equal to 0')
      if 'max_builder_calls' in v200:
       v200.remove('max_builder_calls')
       v30 = v279['max_builder_calls']
       if not isinstance(v30, int) and (not (isinstance(v30, float) and v30.is_integer())) or isinstance(v30, bool):
        raise Invalid('config.budgets.per_milestone.max_builder_calls must be integer')
       if isinstance(v30, (int, float, float)):
        if v30 < 0:
         raise Invalid('config.budgets.per_milestone.max_builder_calls must be bigger than or equal to 0')
      if 'max_verify_runs' in v200:
       v200.remove('max_verify_runs')
       v42 = v279['max_verify_runs']
       if not isinstance(v42, int) and (not (isinstance(v42, float) and v42.is_integer())) or isinstance(v42, bool):
        raise Invalid('config.budgets.per_milestone.max_verify_runs must be integer')
       if isinstance(v42, (int, float, float)):
        if v42 < 0:
         raise Invalid('config.budgets.per_milestone.max_verify_runs must be bigger than or equal to 0')
      if 'max_estimated_cost_usd' in v200:
       v200.remove('max_estimated_cost_usd')
       v17 = v279['max_estimated_cost_usd']
       if not isinstance(v17, (int, float, float)) or isinstance(v17, bool):
        raise Invalid('config.budgets.per_milestone.max_estimated_cost_usd must be number')
       if isinstance(v17, (int, float, float)):
        if v17 < 0:
         raise Invalid('config.budgets.per_milestone.max_estimated_cost_usd must be bigger than or equal to 0')
      if v200:
       raise Invalid('config.budgets.per_milestone must not contain ' + str(v200) + ' properties')
    if 'total' in v364:
     v364.remove('total')
     v351 = v387['total']
     if not isinstance(v351, dict):
      raise Invalid('config.budgets.total must be object')
     v264 = isinstance(v351, dict)
     if v264:
      v155 = set([]) - v351.keys()
      if v155:
       raise Invalid('config.budgets.total must contain ' + (str(sorted(v155)) + ' properties'))
      v312 = set(v351.keys())
      if 'max_ticks' in v312:
       v312.remove('max_ticks')
       v236 = v351['max_ticks']
       if not isinstance(v236, (int, NoneType)) and (not (isinstance(v236, float) and v236.is_integer())) or isinstance(v236, bool):
        raise Invalid('config.budgets.total.max_ticks must be integer or null')
       if isinstance(v236, (int, float, float)):
        if v236 < 0:
         raise Invalid('config.budgets.total.max_ticks must be bigger than or equal to 0')
      if 'max_orchestrator_calls' in v312:
       v312.remove('max_orchestrator_calls')
       v43 = v351['max_orchestrator_calls']
       if not isinstance(v43, (int, NoneType)) and (not (isinstance(v43, float) and v43.is_integer())) or isinstance(v43, bool):
        raise Invalid('config.budgets.total.max_orchestrator_calls must be integer or null')
       if isinstance(v43, (int, float, float)):
        if v43 < 0:
         raise Invalid('config.budgets.total.max_orchestrator_calls must be bigger than or equal to 0')
      if 'max_builder_calls' in v312:
       v312.remove('max_builder_calls')
       v111 = v351['max_builder_calls']
       if not isinstance(v111, (int, NoneType)) and (not (isinstance(v111, float) and v111.is_integer())) or isinstance(v111, bool):
        raise Invalid('config.budgets.total.max_builder_calls must be integer or null')
       if isinstance(v111, (int, float, float)):
        if v111 < 0:
         raise Invalid('config.budgets.total.max_builder_calls must be bigger than or equal to 0')
      if 'max_verify_runs' in v312:
       v312.remove('max_verify_runs')
       v142 = v351['max_verify_runs']
       if not isinstance(v142, (int, NoneType)) and (not (isinstance(v142, float) and v142.is_integer())) or isinstance(v142, bool):
        raise Invalid('config.budgets.total.max_verify_runs must be integer or null')
       if isinstance(v142, (int, float, float)):
        if v142 < 0:
         raise Invalid('config.budgets.total.max_verify_runs must be bigger than or equal to 0')
      if v312:
       raise Invalid('config.budgets.total must not contain ' + str(v312) + ' properties')
    if 'warn_at_fraction' in v364:
     v364.remove('warn_at_fraction')
     v252 = v387['warn_at_fraction']
     if not isinstance(v252, (int, float, float)) or isinstance(v252, bool):
      raise Invalid('config.budgets.warn_at_fraction must be number')
     if isinstance(v252, (int, float, float)):
      if v252 < 0.01:
       raise Invalid('config.budgets.warn_at_fraction must be bigger than or equal to 0.01')
      if v252 > 1:
       raise Invalid('config.budgets.warn_at_fraction must be smaller than or equal to 1')
    if v364:
     raise Invalid('config.budgets must not contain ' + str(v364) + ' properties')
  if 'milestone' in v401:
   v401.remove('milestone')
   v385 = data['milestone']
   if not isinstance(v385, dict):
    raise Invalid('config.milestone must be object')
   v331 = isinstance(v385, dict)
   if v331:
    v259 = set([]) - v385.keys()
    if v259:
     raise Invalid('config.milestone must contain ' + (str(sorted(v259)) + ' properties'))
    v354 = set(v385.keys())
    if 'done_when' in v354:
     v354.remove('done_when')
     v316 = v385['done_when']
     if not isinstance(v316, (list, tuple)):
      raise Invalid('config.milestone.done_when must be array')
     v193 = isinstance(v316, (list, tuple))
     if v193:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v258 = len(v316)
      if v258 > len(set((fn(v288) for v288 in v316))):
       raise Invalid('config.milestone.done_when must contain unique items')
      for v288, v243 in enumerate(v316):
       if not isinstance(v243, str):
        raise Invalid('config' + '.milestone.done_when[{v288}]'.format(**locals()) + ' must be string')
       if isinstance(v243, str):
        v162 = len(v243)
        if v162 < 1:
         raise Invalid('config' + '.milestone.done_when[{v288}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v162 > 64:
         raise Invalid('config' + '.milestone.done_when[{v288}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v243):
         raise Invalid('config' + '.milestone.done_when[{v288}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if v354:
     raise Invalid('config.milestone must not contain ' + str(v354) + ' properties')
  if 'loop' in v401:
   v401.remove('loop')
   v399 = data['loop']
   if not isinstance(v399, dict):
    raise Invalid('config.loop must be object')
   v369 = isinstance(v399, dict)
   if v369:
    v325 = set([]) - v399.keys()
    if v325:
     raise Invalid('config.loop must contain ' + (str(sorted(v325)) + ' properties'))
    v384 = set(v399.keys())
    if 'stuck_after' in v384:
     v384.remove('stuck_after')
     v337 = v399['stuck_after']
     if not isinstance(v337, int) and (not (isinstance(v337, float) and v337.is_integer())) or isinstance(v337, bool):
      raise Invalid('config.loop.stuck_after must be integer')
     if isinstance(v337, (int, float, float)):
      if v337 < 1:
       raise Invalid('config.loop.stuck_after must be bigger than or equal to 1')
    if 'max_wait_seconds' in v384:
     v384.remove('max_wait_seconds')
     v299 = v399['max_wait_seconds']
     if not isinstance(v299, int) and (not (isinstance(v299, float) and v299.is_integer())) or isinstance(v299, bool):
      raise Invalid('config.loop.max_wait_seconds must be integer')
     if isinstance(v299, (int, float, float)):
      if v299 < 0:
       raise Invalid('config.loop.max_wait_seconds must be bigger than or equal to 0')
    if v384:
     raise Invalid('config.loop must not contain ' + str(v384) + ' properties')
  if 'history' in v401:
   v401.remove('history')
   v390 = data['history']
   if not isinstance(v390, dict):
    raise Invalid('config.history must be object')
   v347 = isinstance(v390, dict)
   if v347:
    v287 = set([]) - v390.keys()
    if v287:
     raise Invalid('config.history must contain ' + (str(sorted(v287)) + ' properties'))
    v368 = set(v390.keys())
    if 'enabled' in v368:
     v368.remove('enabled')
     v336 = v390['enabled']
     if not isinstance(v336, bool):
      raise Invalid('config.history.enabled must be boolean')
    if 'dir' in v368:
     v368.remove('dir')
     v367 = v390['dir']
     if not isinstance(v367, str):
      raise Invalid('config.history.dir must be string')
     if isinstance(v367, str):
      v335 = len(v367)
      if v335 < 1:
       raise Invalid('config.history.dir must be longer than or equal to 1 characters')
      if v335 > 200:
       raise Invalid('config.history.dir must be shorter than or equal to 200 characters')
      if not REGEX_PATTERNS['^[^/\\x00-\\x1f]'].search(v367):
       raise Invalid('config.history.dir must match pattern ^[^/\\x00-\\x1f]')
    if 'max_mb' in v368:
     v368.remove('max_mb')
     v353 = v390['max_mb']
     if not isinstance(v353, (int, float, float)) or isinstance(v353, bool):
      raise Invalid('config.history.max_mb must be number')
     if isinstance(v353, (int, float, float)):
      if v353 < 0:
       raise Invalid('config.history.max_mb must be bigger than or equal to 0')
    if 'include_diff_patch' in v368:
     v368.remove('include_diff_patch')
     v225 = v390['include_diff_patch']
     if not isinstance(v225, bool):
      raise Invalid('config.history.include_diff_patch must be boolean')
    if 'include_verify_log' in v368:
     v368.remove('include_verify_log')
     v226 = v390['include_verify_log']
     if not isinstance(v226, bool):
      raise Invalid('config.history.include_verify_log must be boolean')
    if v368:
     raise Invalid('config.history must not contain ' + str(v368) + ' properties')
  if 'git' in v401:
   v401.remove('git')
   v400 = data['git']
   if not isinstance(v400, dict):
    raise Invalid('config.git must be object')
   v375 = isinstance(v400, dict)
   if v375:
    v330 = set([]) - v400.keys()
    if v330:
     raise Invalid('config.git must contain ' + (str(sorted(v330)) + ' properties'))
    v386 = set(v400.keys())
    if 'commit_on_success' in v386:
     v386.remove('commit_on_success')
     v298 = v400['commit_on_success']
     if not isinstance(v298, bool):
      raise Invalid('config.git.commit_on_success must be boolean')
    if 'run_hooks' in v386:
     v386.remove('run_hooks')
     v361 = v400['run_hooks']
     if not isinstance(v361, bool):
      raise Invalid('config.git.run_hooks must be boolean')
    if v386:
     raise Invalid('config.git must not contain ' + str(v386) + ' properties')
  if v401:
   raise Invalid('config must not contain ' + str(v401) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_config_schema_json(document)
