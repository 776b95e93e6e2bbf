"""Generated from config.schema.json by `make validators` with fastjsonschema; never edited."""

import re

from relais.text.documents import Invalid

REGEX_PATTERNS = {'^[A-Za-z0-9][A-Za-z0-9._-]*$': re.compile('^[A-Za-z0-9][A-Za-z0-9._-]*\\Z'), '^[A-Za-z_][A-Za-z0-9_]*\\*?$': re.compile('^[A-Za-z_][A-Za-z0-9_]*\\*?\\Z'), '^[^\\x00]*$': re.compile('^[^\\x00]*\\Z'), '^[^\\x00-\\x1f]*$': re.compile('^[^\\x00-\\x1f]*\\Z'), '^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$': re.compile('^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*\\Z'), '^[^/\\x00-\\x1f]': re.compile('^[^/\\x00-\\x1f]')}
NoneType = type(None)

def validate_https___relais_local_schemas_config_schema_json(data, custom_formats={}, name_prefix=None):
 if not isinstance(data, dict):
  raise Invalid('config must be object')
 v430 = isinstance(data, dict)
 if v430:
  v404 = set(['version']) - data.keys()
  if v404:
   raise Invalid('config must contain ' + (str(sorted(v404)) + ' properties'))
  v435 = set(data.keys())
  if '$schema' in v435:
   v435.remove('$schema')
   v429 = data['$schema']
   if not isinstance(v429, str):
    raise Invalid('config.$schema must be string')
   if isinstance(v429, str):
    v416 = len(v429)
    if v416 > 1000:
     raise Invalid('config.$schema must be shorter than or equal to 1000 characters')
  if 'version' in v435:
   v435.remove('version')
   v425 = data['version']
   if not isinstance(v425, str):
    raise Invalid('config.version must be string')
   if v425 not in ['1.0']:
    raise Invalid("config.version must be one of ['1.0']")
  if 'product_name' in v435:
   v435.remove('product_name')
   v411 = data['product_name']
   if not isinstance(v411, str):
    raise Invalid('config.product_name must be string')
   if v411 not in ['relais']:
    raise Invalid("config.product_name must be one of ['relais']")
  if 'workspace_dir' in v435:
   v435.remove('workspace_dir')
   v407 = data['workspace_dir']
   if not isinstance(v407, str):
    raise Invalid('config.workspace_dir must be string')
   if isinstance(v407, str):
    v375 = len(v407)
    if v375 < 1:
     raise Invalid('config.workspace_dir must be longer than or equal to 1 characters')
    if v375 > 100:
     raise Invalid('config.workspace_dir must be shorter than or equal to 100 characters')
    if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v407):
     raise Invalid('config.workspace_dir must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
  if 'runner' in v435:
   v435.remove('runner')
   v428 = data['runner']
   if not isinstance(v428, dict):
    raise Invalid('config.runner must be object')
   v392 = isinstance(v428, dict)
   if v392:
    v340 = set([]) - v428.keys()
    if v340:
     raise Invalid('config.runner must contain ' + (str(sorted(v340)) + ' properties'))
    v413 = set(v428.keys())
    if 'require_git' in v413:
     v413.remove('require_git')
     v362 = v428['require_git']
     if v362 not in [True]:
      raise Invalid('config.runner.require_git must be one of [True]')
    if 'max_tick_seconds' in v413:
     v413.remove('max_tick_seconds')
     v304 = v428['max_tick_seconds']
     if not isinstance(v304, int) and (not (isinstance(v304, float) and v304.is_integer())) or isinstance(v304, bool):
      raise Invalid('config.runner.max_tick_seconds must be integer')
     if isinstance(v304, (int, float, float)):
      if v304 < 1:
       raise Invalid('config.runner.max_tick_seconds must be bigger than or equal to 1')
      if v304 > 86400:
       raise Invalid('config.runner.max_tick_seconds must be smaller than or equal to 86400')
    if 'lockfile' in v413:
     v413.remove('lockfile')
     v373 = v428['lockfile']
     if not isinstance(v373, str):
      raise Invalid('config.runner.lockfile must be string')
     if isinstance(v373, str):
      v339 = len(v373)
      if v339 > 1000:
       raise Invalid('config.runner.lockfile must be shorter than or equal to 1000 characters')
    if 'runner_owned_globs' in v413:
     v413.remove('runner_owned_globs')
     v277 = v428['runner_owned_globs']
     if not isinstance(v277, (list, tuple)):
      raise Invalid('config.runner.runner_owned_globs must be array')
     v115 = isinstance(v277, (list, tuple))
     if v115:
      v190 = len(v277)
      if v190 > 200:
       raise Invalid('config.runner.runner_owned_globs must contain less than or equal to 200 items')
      for v239, v167 in enumerate(v277):
       if not isinstance(v167, str):
        raise Invalid('config' + '.runner.runner_owned_globs[{v239}]'.format(**locals()) + ' must be string')
       if isinstance(v167, str):
        v98 = len(v167)
        if v98 < 1:
         raise Invalid('config' + '.runner.runner_owned_globs[{v239}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v98 > 200:
         raise Invalid('config' + '.runner.runner_owned_globs[{v239}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'crash_cleanup' in v413:
     v413.remove('crash_cleanup')
     v338 = v428['crash_cleanup']
     if not isinstance(v338, dict):
      raise Invalid('config.runner.crash_cleanup must be object')
     v188 = isinstance(v338, dict)
     if v188:
      v78 = set([]) - v338.keys()
      if v78:
       raise Invalid('config.runner.crash_cleanup must contain ' + (str(sorted(v78)) + ' properties'))
      v255 = set(v338.keys())
      if 'delete_tmp_glob' in v255:
       v255.remove('delete_tmp_glob')
       v63 = v338['delete_tmp_glob']
       if not isinstance(v63, str):
        raise Invalid('config.runner.crash_cleanup.delete_tmp_glob must be string')
       if isinstance(v63, str):
        v28 = len(v63)
        if v28 > 1000:
         raise Invalid('config.runner.crash_cleanup.delete_tmp_glob must be shorter than or equal to 1000 characters')
      if 'validate_runner_json_files' in v255:
       v255.remove('validate_runner_json_files')
       v11 = v338['validate_runner_json_files']
       if not isinstance(v11, bool):
        raise Invalid('config.runner.crash_cleanup.validate_runner_json_files must be boolean')
      if v255:
       raise Invalid('config.runner.crash_cleanup must not contain ' + str(v255) + ' properties')
    if 'render_report_md' in v413:
     v413.remove('render_report_md')
     v305 = v428['render_report_md']
     if not isinstance(v305, dict):
      raise Invalid('config.runner.render_report_md must be object')
     v145 = isinstance(v305, dict)
     if v145:
      v49 = set([]) - v305.keys()
      if v49:
       raise Invalid('config.runner.render_report_md must contain ' + (str(sorted(v49)) + ' properties'))
      v216 = set(v305.keys())
      if 'enabled' in v216:
       v216.remove('enabled')
       v131 = v305['enabled']
       if not isinstance(v131, bool):
        raise Invalid('config.runner.render_report_md.enabled must be boolean')
      if 'max_chars' in v216:
       v216.remove('max_chars')
       v114 = v305['max_chars']
       if not isinstance(v114, int) and (not (isinstance(v114, float) and v114.is_integer())) or isinstance(v114, bool):
        raise Invalid('config.runner.render_report_md.max_chars must be integer')
       if isinstance(v114, (int, float, float)):
        if v114 < 500:
         raise Invalid('config.runner.render_report_md.max_chars must be bigger than or equal to 500')
        if v114 > 100000:
         raise Invalid('config.runner.render_report_md.max_chars must be smaller than or equal to 100000')
      if v216:
       raise Invalid('config.runner.render_report_md must not contain ' + str(v216) + ' properties')
    if 'silence_seconds' in v413:
     v413.remove('silence_seconds')
     v306 = v428['silence_seconds']
     if not isinstance(v306, int) and (not (isinstance(v306, float) and v306.is_integer())) or isinstance(v306, bool):
      raise Invalid('config.runner.silence_seconds must be integer')
     if isinstance(v306, (int, float, float)):
      if v306 < 1:
       raise Invalid('config.runner.silence_seconds must be bigger than or equal to 1')
    if 'result_grace_seconds' in v413:
     v413.remove('result_grace_seconds')
     v238 = v428['result_grace_seconds']
     if not isinstance(v238, int) and (not (isinstance(v238, float) and v238.is_integer())) or isinstance(v238, bool):
      raise Invalid('config.runner.result_grace_seconds must be integer')
     if isinstance(v238, (int, float, float)):
      if v238 < 0:
       raise Invalid('config.runner.result_grace_seconds must be bigger than or equal to 0')
      if v238 > 600:
       raise Invalid('config.runner.result_grace_seconds must be smaller than or equal to 600')
    if 'kill_grace_seconds' in v413:
     v413.remove('kill_grace_seconds')
     v276 = v428['kill_grace_seconds']
     if not isinstance(v276, int) and (not (isinstance(v276, float) and v276.is_integer())) or isinstance(v276, bool):
      raise Invalid('config.runner.kill_grace_seconds must be integer')
     if isinstance(v276, (int, float, float)):
      if v276 < 0:
       raise Invalid('config.runner.kill_grace_seconds must be bigger than or equal to 0')
      if v276 > 60:
       raise Invalid('config.runner.kill_grace_seconds must be smaller than or equal to 60')
    if 'sandbox' in v413:
     v413.remove('sandbox')
     v384 = v428['sandbox']
     if not isinstance(v384, str):
      raise Invalid('config.runner.sandbox must be string')
     if v384 not in ['auto', 'on', 'off']:
      raise Invalid("config.runner.sandbox must be one of ['auto', 'on', 'off']")
    if 'environment' in v413:
     v413.remove('environment')
     v352 = v428['environment']
     if not isinstance(v352, (list, tuple)):
      raise Invalid('config.runner.environment must be array')
     v215 = isinstance(v352, (list, tuple))
     if v215:
      v291 = len(v352)
      if v291 > 100:
       raise Invalid('config.runner.environment must contain less than or equal to 100 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v291 > len(set((fn(v321) for v321 in v352))):
       raise Invalid('config.runner.environment must contain unique items')
      for v321, v275 in enumerate(v352):
       if not isinstance(v275, str):
        raise Invalid('config' + '.runner.environment[{v321}]'.format(**locals()) + ' must be string')
       if isinstance(v275, str):
        v189 = len(v275)
        if v189 < 1:
         raise Invalid('config' + '.runner.environment[{v321}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v189 > 100:
         raise Invalid('config' + '.runner.environment[{v321}]'.format(**locals()) + ' must be shorter than or equal to 100 characters')
        if not REGEX_PATTERNS['^[A-Za-z_][A-Za-z0-9_]*\\*?$'].search(v275):
         raise Invalid('config' + '.runner.environment[{v321}]'.format(**locals()) + ' must match pattern ^[A-Za-z_][A-Za-z0-9_]*\\*?$')
    if v413:
     raise Invalid('config.runner must not contain ' + str(v413) + ' properties')
  if 'claude_code_cli' in v435:
   v435.remove('claude_code_cli')
   v393 = data['claude_code_cli']
   if not isinstance(v393, dict):
    raise Invalid('config.claude_code_cli must be object')
   v313 = isinstance(v393, dict)
   if v313:
    v203 = set([]) - v393.keys()
    if v203:
     raise Invalid('config.claude_code_cli must contain ' + (str(sorted(v203)) + ' properties'))
    v356 = set(v393.keys())
    if 'command' in v356:
     v356.remove('command')
     v297 = v393['command']
     if not isinstance(v297, str):
      raise Invalid('config.claude_code_cli.command must be string')
     if isinstance(v297, str):
      v227 = len(v297)
      if v227 < 1:
       raise Invalid('config.claude_code_cli.command must be longer than or equal to 1 characters')
      if v227 > 300:
       raise Invalid('config.claude_code_cli.command must be shorter than or equal to 300 characters')
    if 'output_format' in v356:
     v356.remove('output_format')
     v204 = v393['output_format']
     if not isinstance(v204, str):
      raise Invalid('config.claude_code_cli.output_format must be string')
     if v204 not in ['json', 'stream-json']:
      raise Invalid("config.claude_code_cli.output_format must be one of ['json', 'stream-json']")
    if 'no_session_persistence' in v356:
     v356.remove('no_session_persistence')
     v60 = v393['no_session_persistence']
     if not isinstance(v60, bool):
      raise Invalid('config.claude_code_cli.no_session_persistence must be boolean')
    if 'setting_sources' in v356:
     v356.remove('setting_sources')
     v162 = v393['setting_sources']
     if not isinstance(v162, str):
      raise Invalid('config.claude_code_cli.setting_sources must be string')
     if isinstance(v162, str):
      v93 = len(v162)
      if v93 > 1000:
       raise Invalid('config.claude_code_cli.setting_sources must be shorter than or equal to 1000 characters')
    if v356:
     raise Invalid('config.claude_code_cli must not contain ' + str(v356) + ' properties')
  if 'models' in v435:
   v435.remove('models')
   v426 = data['models']
   if not isinstance(v426, dict):
    raise Invalid('config.models must be object')
   v389 = isinstance(v426, dict)
   if v389:
    v333 = set([]) - v426.keys()
    if v333:
     raise Invalid('config.models must contain ' + (str(sorted(v333)) + ' properties'))
    v410 = set(v426.keys())
    if 'orchestrator_model' in v410:
     v410.remove('orchestrator_model')
     v253 = v426['orchestrator_model']
     if not isinstance(v253, str):
      raise Invalid('config.models.orchestrator_model must be string')
     if isinstance(v253, str):
      v166 = len(v253)
      if v166 > 1000:
       raise Invalid('config.models.orchestrator_model must be shorter than or equal to 1000 characters')
    if 'orchestrator_fallback_model' in v410:
     v410.remove('orchestrator_fallback_model')
     v97 = v426['orchestrator_fallback_model']
     if not isinstance(v97, str):
      raise Invalid('config.models.orchestrator_fallback_model must be string')
     if isinstance(v97, str):
      v39 = len(v97)
      if v39 > 1000:
       raise Invalid('config.models.orchestrator_fallback_model must be shorter than or equal to 1000 characters')
    if 'builder_model' in v410:
     v410.remove('builder_model')
     v332 = v426['builder_model']
     if not isinstance(v332, str):
      raise Invalid('config.models.builder_model must be string')
     if isinstance(v332, str):
      v272 = len(v332)
      if v272 > 1000:
       raise Invalid('config.models.builder_model must be shorter than or equal to 1000 characters')
    if 'builder_fallback_model' in v410:
     v410.remove('builder_fallback_model')
     v181 = v426['builder_fallback_model']
     if not isinstance(v181, str):
      raise Invalid('config.models.builder_fallback_model must be string')
     if isinstance(v181, str):
      v111 = len(v181)
      if v111 > 1000:
       raise Invalid('config.models.builder_fallback_model must be shorter than or equal to 1000 characters')
    if v410:
     raise Invalid('config.models must not contain ' + str(v410) + ' properties')
  if 'orchestrator' in v435:
   v435.remove('orchestrator')
   v405 = data['orchestrator']
   if not isinstance(v405, dict):
    raise Invalid('config.orchestrator must be object')
   v334 = isinstance(v405, dict)
   if v334:
    v236 = set([]) - v405.keys()
    if v236:
     raise Invalid('config.orchestrator must contain ' + (str(sorted(v236)) + ' properties'))
    v366 = set(v405.keys())
    if 'max_turns' in v366:
     v366.remove('max_turns')
     v301 = v405['max_turns']
     if not isinstance(v301, int) and (not (isinstance(v301, float) and v301.is_integer())) or isinstance(v301, bool):
      raise Invalid('config.orchestrator.max_turns must be integer')
     if isinstance(v301, (int, float, float)):
      if v301 < 1:
       raise Invalid('config.orchestrator.max_turns must be bigger than or equal to 1')
    if 'permission_mode' in v366:
     v366.remove('permission_mode')
     v183 = v405['permission_mode']
     if not isinstance(v183, str):
      raise Invalid('config.orchestrator.permission_mode must be string')
     if v183 not in ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']:
      raise Invalid("config.orchestrator.permission_mode must be one of ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']")
    if 'allowed_tools' in v366:
     v366.remove('allowed_tools')
     v234 = v405['allowed_tools']
     if not isinstance(v234, str):
      raise Invalid('config.orchestrator.allowed_tools must be string')
     if isinstance(v234, str):
      v143 = len(v234)
      if v143 > 1000:
       raise Invalid('config.orchestrator.allowed_tools must be shorter than or equal to 1000 characters')
    if 'system_prompt_file' in v366:
     v366.remove('system_prompt_file')
     v144 = v405['system_prompt_file']
     if not isinstance(v144, str):
      raise Invalid('config.orchestrator.system_prompt_file must be string')
     if isinstance(v144, str):
      v77 = len(v144)
      if v77 > 1000:
       raise Invalid('config.orchestrator.system_prompt_file must be shorter than or equal to 1000 characters')
    if 'user_prompt_file' in v366:
     v366.remove('user_prompt_file')
     v186 = v405['user_prompt_file']
     if not isinstance(v186, str):
      raise Invalid('config.orchestrator.user_prompt_file must be string')
     if isinstance(v186, str):
      v113 = len(v186)
      if v113 > 1000:
       raise Invalid('config.orchestrator.user_prompt_file must be shorter than or equal to 1000 characters')
    if 'task_schema_file' in v366:
     v366.remove('task_schema_file')
     v184 = v405['task_schema_file']
     if not isinstance(v184, str):
      raise Invalid('config.orchestrator.task_schema_file must be string')
     if isinstance(v184, str):
      v112 = len(v184)
      if v112 > 1000:
       raise Invalid('config.orchestrator.task_schema_file must be shorter than or equal to 1000 characters')
    if 'max_parse_retries_per_tick' in v366:
     v366.remove('max_parse_retries_per_tick')
     v48 = v405['max_parse_retries_per_tick']
     if not isinstance(v48, int) and (not (isinstance(v48, float) and v48.is_integer())) or isinstance(v48, bool):
      raise Invalid('config.orchestrator.max_parse_retries_per_tick must be integer')
     if isinstance(v48, (int, float, float)):
      if v48 < 0:
       raise Invalid('config.orchestrator.max_parse_retries_per_tick must be bigger than or equal to 0')
      if v48 > 1:
       raise Invalid('config.orchestrator.max_parse_retries_per_tick must be smaller than or equal to 1')
    if 'max_budget_usd' in v366:
     v366.remove('max_budget_usd')
     v235 = v405['max_budget_usd']
     if not isinstance(v235, (int, float, float, NoneType)) or isinstance(v235, bool):
      raise Invalid('config.orchestrator.max_budget_usd must be number or null')
     if isinstance(v235, (int, float, float)):
      if v235 < 0:
       raise Invalid('config.orchestrator.max_budget_usd must be bigger than or equal to 0')
    if 'timeout_seconds' in v366:
     v366.remove('timeout_seconds')
     v185 = v405['timeout_seconds']
     if not isinstance(v185, int) and (not (isinstance(v185, float) and v185.is_integer())) or isinstance(v185, bool):
      raise Invalid('config.orchestrator.timeout_seconds must be integer')
     if isinstance(v185, (int, float, float)):
      if v185 < 1:
       raise Invalid('config.orchestrator.timeout_seconds must be bigger than or equal to 1')
    if 'max_prompt_chars' in v366:
     v366.remove('max_prompt_chars')
     v182 = v405['max_prompt_chars']
     if not isinstance(v182, int) and (not (isinstance(v182, float) and v182.is_integer())) or isinstance(v182, bool):
      raise Invalid('config.orchestrator.max_prompt_chars must be integer')
     if isinstance(v182, (int, float, float)):
      if v182 < 8000:
       raise Invalid('config.orchestrator.max_prompt_chars must be bigger than or equal to 8000')
      if v182 > 400000:
       raise Invalid('config.orchestrator.max_prompt_chars must be smaller than or equal to 400000')
    if v366:
     raise Invalid('config.orchestrator must not contain ' + str(v366) + ' properties')
  if 'builder' in v435:
   v435.remove('builder')
   v422 = data['builder']
   if not isinstance(v422, dict):
    raise Invalid('config.builder must be object')
   v378 = isinstance(v422, dict)
   if v378:
    v312 = set([]) - v422.keys()
    if v312:
     raise Invalid('config.builder must contain ' + (str(sorted(v312)) + ' properties'))
    v399 = set(v422.keys())
    if 'default_mode' in v399:
     v399.remove('default_mode')
     v328 = v422['default_mode']
     if not isinstance(v328, str):
      raise Invalid('config.builder.default_mode must be string')
     if v328 not in ['claude_code', 'patch', 'cursor']:
      raise Invalid("config.builder.default_mode must be one of ['claude_code', 'patch', 'cursor']")
    if 'allow_patch_mode' in v399:
     v399.remove('allow_patch_mode')
     v283 = v422['allow_patch_mode']
     if not isinstance(v283, bool):
      raise Invalid('config.builder.allow_patch_mode must be boolean')
    if 'claude_code' in v399:
     v399.remove('claude_code')
     v345 = v422['claude_code']
     if not isinstance(v345, dict):
      raise Invalid('config.builder.claude_code must be object')
     v201 = isinstance(v345, dict)
     if v201:
      v92 = set([]) - v345.keys()
      if v92:
       raise Invalid('config.builder.claude_code must contain ' + (str(sorted(v92)) + ' properties'))
      v265 = set(v345.keys())
      if 'max_turns' in v265:
       v265.remove('max_turns')
       v159 = v345['max_turns']
       if not isinstance(v159, int) and (not (isinstance(v159, float) and v159.is_integer())) or isinstance(v159, bool):
        raise Invalid('config.builder.claude_code.max_turns must be integer')
       if isinstance(v159, (int, float, float)):
        if v159 < 1:
         raise Invalid('config.builder.claude_code.max_turns must be bigger than or equal to 1')
        if v159 > 40:
         raise Invalid('config.builder.claude_code.max_turns must be smaller than or equal to 40')
      if 'permission_mode' in v265:
       v265.remove('permission_mode')
       v57 = v345['permission_mode']
       if not isinstance(v57, str):
        raise Invalid('config.builder.claude_code.permission_mode must be string')
       if v57 not in ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']:
        raise Invalid("config.builder.claude_code.permission_mode must be one of ['default', 'manual', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']")
      if 'allowed_tools' in v265:
       v265.remove('allowed_tools')
       v90 = v345['allowed_tools']
       if not isinstance(v90, str):
        raise Invalid('config.builder.claude_code.allowed_tools must be string')
       if isinstance(v90, str):
        v36 = len(v90)
        if v36 > 1000:
         raise Invalid('config.builder.claude_code.allowed_tools must be shorter than or equal to 1000 characters')
      if 'system_prompt_file' in v265:
       v265.remove('system_prompt_file')
       v37 = v345['system_prompt_file']
       if not isinstance(v37, str):
        raise Invalid('config.builder.claude_code.system_prompt_file must be string')
       if isinstance(v37, str):
        v21 = len(v37)
        if v21 > 1000:
         raise Invalid('config.builder.claude_code.system_prompt_file must be shorter than or equal to 1000 characters')
      if 'user_prompt_file' in v265:
       v265.remove('user_prompt_file')
       v59 = v345['user_prompt_file']
       if not isinstance(v59, str):
        raise Invalid('config.builder.claude_code.user_prompt_file must be string')
       if isinstance(v59, str):
        v26 = len(v59)
        if v26 > 1000:
         raise Invalid('config.builder.claude_code.user_prompt_file must be shorter than or equal to 1000 characters')
      if 'builder_result_schema_file' in v265:
       v265.remove('builder_result_schema_file')
       v12 = v345['builder_result_schema_file']
       if not isinstance(v12, str):
        raise Invalid('config.builder.claude_code.builder_result_schema_file must be string')
       if isinstance(v12, str):
        v8 = len(v12)
        if v8 > 1000:
         raise Invalid('config.builder.claude_code.builder_result_schema_file must be shorter than or equal to 1000 characters')
      if 'max_budget_usd' in v265:
       v265.remove('max_budget_usd')
       v91 = v345['max_budget_usd']
       if not isinstance(v91, (int, float, float, NoneType)) or isinstance(v91, bool):
        raise Invalid('config.builder.claude_code.max_budget_usd must be number or null')
       if isinstance(v91, (int, float, float)):
        if v91 < 0:
         raise Invalid('config.builder.claude_code.max_budget_usd must be bigger than or equal to 0')
      if 'strict_builder_json' in v265:
       v265.remove('strict_builder_json')
       v31 = v345['strict_builder_json']
       if not isinstance(v31, bool):
        raise Invalid('config.builder.claude_code.strict_builder_json must be boolean')
      if 'timeout_seconds' in v265:
       v265.remove('timeout_seconds')
       v58 = v345['timeout_seconds']
       if not isinstance(v58, int) and (not (isinstance(v58, float) and v58.is_integer())) or isinstance(v58, bool):
        raise Invalid('config.builder.claude_code.timeout_seconds must be integer')
       if isinstance(v58, (int, float, float)):
        if v58 < 1:
         raise Invalid('config.builder.claude_code.timeout_seconds must be bigger than or equal to 1')
      if v265:
       raise Invalid('config.builder.claude_code must not contain ' + str(v265) + ' properties')
    if 'patch' in v399:
     v399.remove('patch')
     v386 = v422['patch']
     if not isinstance(v386, dict):
      raise Invalid('config.builder.patch must be object')
     v296 = isinstance(v386, dict)
     if v296:
      v175 = set([]) - v386.keys()
      if v175:
       raise Invalid('config.builder.patch must contain ' + (str(sorted(v175)) + ' properties'))
      v346 = set(v386.keys())
      if 'max_patch_attempts_per_milestone' in v346:
       v346.remove('max_patch_attempts_per_milestone')
       v13 = v386['max_patch_attempts_per_milestone']
       if not isinstance(v13, int) and (not (isinstance(v13, float) and v13.is_integer())) or isinstance(v13, bool):
        raise Invalid('config.builder.patch.max_patch_attempts_per_milestone must be integer')
       if isinstance(v13, (int, float, float)):
        if v13 < 0:
         raise Invalid('config.builder.patch.max_patch_attempts_per_milestone must be bigger than or equal to 0')
      if v346:
       raise Invalid('config.builder.patch must not contain ' + str(v346) + ' properties')
    if 'cursor' in v399:
     v399.remove('cursor')
     v377 = v422['cursor']
     if not isinstance(v377, dict):
      raise Invalid('config.builder.cursor must be object')
     v285 = isinstance(v377, dict)
     if v285:
      v161 = set([]) - v377.keys()
      if v161:
       raise Invalid('config.builder.cursor must contain ' + (str(sorted(v161)) + ' properties'))
      v327 = set(v377.keys())
      if 'command' in v327:
       v327.remove('command')
       v266 = v377['command']
       if not isinstance(v266, str):
        raise Invalid('config.builder.cursor.command must be string')
       if isinstance(v266, str):
        v174 = len(v266)
        if v174 > 1000:
         raise Invalid('config.builder.cursor.command must be shorter than or equal to 1000 characters')
      if 'args' in v327:
       v327.remove('args')
       v311 = v377['args']
       if not isinstance(v311, (list, tuple)):
        raise Invalid('config.builder.cursor.args must be array')
       v160 = isinstance(v311, (list, tuple))
       if v160:
        v248 = len(v311)
        if v248 > 100:
         raise Invalid('config.builder.cursor.args must contain less than or equal to 100 items')
        for v284, v226 in enumerate(v311):
         if not isinstance(v226, str):
          raise Invalid('config' + '.builder.cursor.args[{v284}]'.format(**locals()) + ' must be string')
         if isinstance(v226, str):
          v138 = len(v226)
          if v138 > 1000:
           raise Invalid('config' + '.builder.cursor.args[{v284}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
          if not REGEX_PATTERNS['^[^\\x00]*$'].search(v226):
           raise Invalid('config' + '.builder.cursor.args[{v284}]'.format(**locals()) + ' must match pattern ^[^\\x00]*$')
      if 'timeout_seconds' in v327:
       v327.remove('timeout_seconds')
       v124 = v377['timeout_seconds']
       if not isinstance(v124, int) and (not (isinstance(v124, float) and v124.is_integer())) or isinstance(v124, bool):
        raise Invalid('config.builder.cursor.timeout_seconds must be integer')
       if isinstance(v124, (int, float, float)):
        if v124 < 1:
         raise Invalid('config.builder.cursor.timeout_seconds must be bigger than or equal to 1')
      if 'output_file' in v327:
       v327.remove('output_file')
       v202 = v377['output_file']
       if not isinstance(v202, str):
        raise Invalid('config.builder.cursor.output_file must be string')
       if isinstance(v202, str):
        v123 = len(v202)
        if v123 < 1:
         raise Invalid('config.builder.cursor.output_file must be longer than or equal to 1 characters')
        if v123 > 300:
         raise Invalid('config.builder.cursor.output_file must be shorter than or equal to 300 characters')
        if not REGEX_PATTERNS['^[^\\x00-\\x1f]*$'].search(v202):
         raise Invalid('config.builder.cursor.output_file must match pattern ^[^\\x00-\\x1f]*$')
      if v327:
       raise Invalid('config.builder.cursor must not contain ' + str(v327) + ' properties')
    if v399:
     raise Invalid('config.builder must not contain ' + str(v399) + ' properties')
  if 'review' in v435:
   v435.remove('review')
   v427 = data['review']
   if not isinstance(v427, dict):
    raise Invalid('config.review must be object')
   v390 = isinstance(v427, dict)
   if v390:
    v337 = set([]) - v427.keys()
    if v337:
     raise Invalid('config.review must contain ' + (str(sorted(v337)) + ' properties'))
    v412 = set(v427.keys())
    if 'enabled' in v412:
     v412.remove('enabled')
     v382 = v427['enabled']
     if not isinstance(v382, bool):
      raise Invalid('config.review.enabled must be boolean')
    if 'criteria' in v412:
     v412.remove('criteria')
     v372 = v427['criteria']
     if not isinstance(v372, (list, tuple)):
      raise Invalid('config.review.criteria must be array')
     v273 = isinstance(v372, (list, tuple))
     if v273:
      v335 = len(v372)
      if v335 > 20:
       raise Invalid('config.review.criteria must contain less than or equal to 20 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v335 > len(set((fn(v360) for v360 in v372))):
       raise Invalid('config.review.criteria must contain unique items')
      for v360, v320 in enumerate(v372):
       if not isinstance(v320, str):
        raise Invalid('config' + '.review.criteria[{v360}]'.format(**locals()) + ' must be string')
       if isinstance(v320, str):
        v254 = len(v320)
        if v254 < 1:
         raise Invalid('config' + '.review.criteria[{v360}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v254 > 400:
         raise Invalid('config' + '.review.criteria[{v360}]'.format(**locals()) + ' must be shorter than or equal to 400 characters')
    if 'system_prompt_file' in v412:
     v412.remove('system_prompt_file')
     v274 = v427['system_prompt_file']
     if not isinstance(v274, str):
      raise Invalid('config.review.system_prompt_file must be string')
     if isinstance(v274, str):
      v187 = len(v274)
      if v187 > 1000:
       raise Invalid('config.review.system_prompt_file must be shorter than or equal to 1000 characters')
    if 'user_prompt_file' in v412:
     v412.remove('user_prompt_file')
     v303 = v427['user_prompt_file']
     if not isinstance(v303, str):
      raise Invalid('config.review.user_prompt_file must be string')
     if isinstance(v303, str):
      v237 = len(v303)
      if v237 > 1000:
       raise Invalid('config.review.user_prompt_file must be shorter than or equal to 1000 characters')
    if 'timeout_seconds' in v412:
     v412.remove('timeout_seconds')
     v302 = v427['timeout_seconds']
     if not isinstance(v302, int) and (not (isinstance(v302, float) and v302.is_integer())) or isinstance(v302, bool):
      raise Invalid('config.review.timeout_seconds must be integer')
     if isinstance(v302, (int, float, float)):
      if v302 < 1:
       raise Invalid('config.review.timeout_seconds must be bigger than or equal to 1')
    if 'max_diff_chars' in v412:
     v412.remove('max_diff_chars')
     v336 = v427['max_diff_chars']
     if not isinstance(v336, int) and (not (isinstance(v336, float) and v336.is_integer())) or isinstance(v336, bool):
      raise Invalid('config.review.max_diff_chars must be integer')
     if isinstance(v336, (int, float, float)):
      if v336 < 1000:
       raise Invalid('config.review.max_diff_chars must be bigger than or equal to 1000')
      if v336 > 1000000:
       raise Invalid('config.review.max_diff_chars must be smaller than or equal to 1000000')
    if v412:
     raise Invalid('config.review must not contain ' + str(v412) + ' properties')
  if 'drivers' in v435:
   v435.remove('drivers')
   v423 = data['drivers']
   if not isinstance(v423, dict):
    raise Invalid('config.drivers must be object')
   v380 = isinstance(v423, dict)
   if v380:
    v400 = set(v423.keys())
    for v408 in v400:
     if v408 not in []:
      v394 = v423.get(v408)
      if not isinstance(v394, dict):
       raise Invalid('config' + '.drivers.{v408}'.format(**locals()) + ' must be object')
      v317 = isinstance(v394, dict)
      if v317:
       v209 = set(['argv', 'result']) - v394.keys()
       if v209:
        raise Invalid('config' + '.drivers.{v408}'.format(**locals()) + ' must contain ' + (str(sorted(v209)) + ' properties'))
       v358 = set(v394.keys())
       if 'argv' in v358:
        v358.remove('argv')
        v347 = v394['argv']
        if not isinstance(v347, (list, tuple)):
         raise Invalid('config' + '.drivers.{v408}.argv'.format(**locals()) + ' must be array')
        v206 = isinstance(v347, (list, tuple))
        if v206:
         v286 = len(v347)
         if v286 < 1:
          raise Invalid('config' + '.drivers.{v408}.argv'.format(**locals()) + ' must contain at least 1 items')
         if v286 > 100:
          raise Invalid('config' + '.drivers.{v408}.argv'.format(**locals()) + ' must contain less than or equal to 100 items')
         for v314, v268 in enumerate(v347):
          if not isinstance(v268, str):
           raise Invalid('config' + '.drivers.{v408}.argv[{v314}]'.format(**locals()) + ' must be string')
          if isinstance(v268, str):
           v176 = len(v268)
           if v176 > 1000:
            raise Invalid('config' + '.drivers.{v408}.argv[{v314}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
           if not REGEX_PATTERNS['^[^\\x00]*$'].search(v268):
            raise Invalid('config' + '.drivers.{v408}.argv[{v314}]'.format(**locals()) + ' must match pattern ^[^\\x00]*$')
       if 'result' in v358:
        v358.remove('result')
        v316 = v394['result']
        if not isinstance(v316, dict):
         raise Invalid('config' + '.drivers.{v408}.result'.format(**locals()) + ' must be object')
        v165 = isinstance(v316, dict)
        if v165:
         v61 = set(['from']) - v316.keys()
         if v61:
          raise Invalid('config' + '.drivers.{v408}.result'.format(**locals()) + ' must contain ' + (str(sorted(v61)) + ' properties'))
         v232 = set(v316.keys())
         if 'from' in v232:
          v232.remove('from')
          v211 = v316['from']
          if not isinstance(v211, str):
           raise Invalid('config' + '.drivers.{v408}.result.from'.format(**locals()) + ' must be string')
          if v211 not in ['json', 'jsonl', 'file', 'stdout']:
           raise Invalid('config' + '.drivers.{v408}.result.from'.format(**locals()) + " must be one of ['json', 'jsonl', 'file', 'stdout']")
         if 'where' in v232:
          v232.remove('where')
          v178 = v316['where']
          if not isinstance(v178, dict):
           raise Invalid('config' + '.drivers.{v408}.result.where'.format(**locals()) + ' must be object')
          v46 = isinstance(v178, dict)
          if v46:
           v95 = set(v178.keys())
           for v108 in v95:
            if v108 not in []:
             v74 = v178.get(v108)
             if not isinstance(v74, (str, int, float, float, bool)):
              raise Invalid('config' + '.drivers.{v408}.result.where.{v108}'.format(**locals()) + ' must be string or number or boolean')
         if 'pick' in v232:
          v232.remove('pick')
          v212 = v316['pick']
          if not isinstance(v212, str):
           raise Invalid('config' + '.drivers.{v408}.result.pick'.format(**locals()) + ' must be string')
          if isinstance(v212, str):
           v128 = len(v212)
           if v128 < 1:
            raise Invalid('config' + '.drivers.{v408}.result.pick'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v128 > 200:
            raise Invalid('config' + '.drivers.{v408}.result.pick'.format(**locals()) + ' must be shorter than or equal to 200 characters')
         if v232:
          raise Invalid('config' + '.drivers.{v408}.result'.format(**locals()) + ' must not contain ' + str(v232) + ' properties')
       if 'must_see' in v358:
        v358.remove('must_see')
        v300 = v394['must_see']
        if not isinstance(v300, dict):
         raise Invalid('config' + '.drivers.{v408}.must_see'.format(**locals()) + ' must be object')
        v141 = isinstance(v300, dict)
        if v141:
         v210 = set(v300.keys())
         for v231 in v210:
          if v231 not in []:
           v177 = v300.get(v231)
           if not isinstance(v177, (str, int, float, float, bool)):
            raise Invalid('config' + '.drivers.{v408}.must_see.{v231}'.format(**locals()) + ' must be string or number or boolean')
       if 'errors' in v358:
        v358.remove('errors')
        v315 = v394['errors']
        if not isinstance(v315, (list, tuple)):
         raise Invalid('config' + '.drivers.{v408}.errors'.format(**locals()) + ' must be array')
        v164 = isinstance(v315, (list, tuple))
        if v164:
         v249 = len(v315)
         if v249 > 10:
          raise Invalid('config' + '.drivers.{v408}.errors'.format(**locals()) + ' must contain less than or equal to 10 items')
         for v287, v229 in enumerate(v315):
          if not isinstance(v229, dict):
           raise Invalid('config' + '.drivers.{v408}.errors[{v287}]'.format(**locals()) + ' must be object')
          v73 = isinstance(v229, dict)
          if v73:
           v24 = set(['pick']) - v229.keys()
           if v24:
            raise Invalid('config' + '.drivers.{v408}.errors[{v287}]'.format(**locals()) + ' must contain ' + (str(sorted(v24)) + ' properties'))
           v126 = set(v229.keys())
           if 'where' in v126:
            v126.remove('where')
            v94 = v229['where']
            if not isinstance(v94, dict):
             raise Invalid('config' + '.drivers.{v408}.errors[{v287}].where'.format(**locals()) + ' must be object')
            v22 = isinstance(v94, dict)
            if v22:
             v32 = set(v94.keys())
             for v38 in v32:
              if v38 not in []:
               v27 = v94.get(v38)
               if not isinstance(v27, (str, int, float, float, bool)):
                raise Invalid('config' + '.drivers.{v408}.errors[{v287}].where.{v38}'.format(**locals()) + ' must be string or number or boolean')
           if 'pick' in v126:
            v126.remove('pick')
            v107 = v229['pick']
            if not isinstance(v107, str):
             raise Invalid('config' + '.drivers.{v408}.errors[{v287}].pick'.format(**locals()) + ' must be string')
            if isinstance(v107, str):
             v45 = len(v107)
             if v45 < 1:
              raise Invalid('config' + '.drivers.{v408}.errors[{v287}].pick'.format(**locals()) + ' must be longer than or equal to 1 characters')
             if v45 > 200:
              raise Invalid('config' + '.drivers.{v408}.errors[{v287}].pick'.format(**locals()) + ' must be shorter than or equal to 200 characters')
           if v126:
            raise Invalid('config' + '.drivers.{v408}.errors[{v287}]'.format(**locals()) + ' must not contain ' + str(v126) + ' properties')
       if 'error_if' in v358:
        v358.remove('error_if')
        v298 = v394['error_if']
        if not isinstance(v298, (list, tuple)):
         raise Invalid('config' + '.drivers.{v408}.error_if'.format(**locals()) + ' must be array')
        v139 = isinstance(v298, (list, tuple))
        if v139:
         v228 = len(v298)
         if v228 > 50:
          raise Invalid('config' + '.drivers.{v408}.error_if'.format(**locals()) + ' must contain less than or equal to 50 items')
         for v269, v207 in enumerate(v298):
          if not isinstance(v207, str):
           raise Invalid('config' + '.drivers.{v408}.error_if[{v269}]'.format(**locals()) + ' must be string')
          if isinstance(v207, str):
           v125 = len(v207)
           if v125 < 1:
            raise Invalid('config' + '.drivers.{v408}.error_if[{v269}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v125 > 500:
            raise Invalid('config' + '.drivers.{v408}.error_if[{v269}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
       if 'limit_if' in v358:
        v358.remove('limit_if')
        v299 = v394['limit_if']
        if not isinstance(v299, (list, tuple)):
         raise Invalid('config' + '.drivers.{v408}.limit_if'.format(**locals()) + ' must be array')
        v140 = isinstance(v299, (list, tuple))
        if v140:
         v230 = len(v299)
         if v230 > 50:
          raise Invalid('config' + '.drivers.{v408}.limit_if'.format(**locals()) + ' must contain less than or equal to 50 items')
         for v270, v208 in enumerate(v299):
          if not isinstance(v208, str):
           raise Invalid('config' + '.drivers.{v408}.limit_if[{v270}]'.format(**locals()) + ' must be string')
          if isinstance(v208, str):
           v127 = len(v208)
           if v127 < 1:
            raise Invalid('config' + '.drivers.{v408}.limit_if[{v270}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
           if v127 > 500:
            raise Invalid('config' + '.drivers.{v408}.limit_if[{v270}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
       if 'usage' in v358:
        v358.remove('usage')
        v329 = v394['usage']
        if not isinstance(v329, dict):
         raise Invalid('config' + '.drivers.{v408}.usage'.format(**locals()) + ' must be object')
        v179 = isinstance(v329, dict)
        if v179:
         v75 = set(['pick']) - v329.keys()
         if v75:
          raise Invalid('config' + '.drivers.{v408}.usage'.format(**locals()) + ' must contain ' + (str(sorted(v75)) + ' properties'))
         v250 = set(v329.keys())
         if 'where' in v250:
          v250.remove('where')
          v213 = v329['where']
          if not isinstance(v213, dict):
           raise Invalid('config' + '.drivers.{v408}.usage.where'.format(**locals()) + ' must be object')
          v62 = isinstance(v213, dict)
          if v62:
           v110 = set(v213.keys())
           for v130 in v110:
            if v130 not in []:
             v96 = v213.get(v130)
             if not isinstance(v96, (str, int, float, float, bool)):
              raise Invalid('config' + '.drivers.{v408}.usage.where.{v130}'.format(**locals()) + ' must be string or number or boolean')
         if 'pick' in v250:
          v250.remove('pick')
          v233 = v329['pick']
          if not isinstance(v233, dict):
           raise Invalid('config' + '.drivers.{v408}.usage.pick'.format(**locals()) + ' must be object')
          v76 = isinstance(v233, dict)
          if v76:
           v129 = set(v233.keys())
           for v142 in v129:
            if v142 not in []:
             v109 = v233.get(v142)
             if not isinstance(v109, str):
              raise Invalid('config' + '.drivers.{v408}.usage.pick.{v142}'.format(**locals()) + ' must be string')
             if isinstance(v109, str):
              v47 = len(v109)
              if v47 < 1:
               raise Invalid('config' + '.drivers.{v408}.usage.pick.{v142}'.format(**locals()) + ' must be longer than or equal to 1 characters')
              if v47 > 200:
               raise Invalid('config' + '.drivers.{v408}.usage.pick.{v142}'.format(**locals()) + ' must be shorter than or equal to 200 characters')
         if v250:
          raise Invalid('config' + '.drivers.{v408}.usage'.format(**locals()) + ' must not contain ' + str(v250) + ' properties')
       if 'confines_itself' in v358:
        v358.remove('confines_itself')
        v163 = v394['confines_itself']
        if not isinstance(v163, bool):
         raise Invalid('config' + '.drivers.{v408}.confines_itself'.format(**locals()) + ' must be boolean')
       if v358:
        raise Invalid('config' + '.drivers.{v408}'.format(**locals()) + ' must not contain ' + str(v358) + ' properties')
  if 'roles' in v435:
   v435.remove('roles')
   v431 = data['roles']
   if not isinstance(v431, dict):
    raise Invalid('config.roles must be object')
   v396 = isinstance(v431, dict)
   if v396:
    v349 = set([]) - v431.keys()
    if v349:
     raise Invalid('config.roles must contain ' + (str(sorted(v349)) + ' properties'))
    v415 = set(v431.keys())
    if 'orchestrator' in v415:
     v415.remove('orchestrator')
     v350 = v431['orchestrator']
     if not isinstance(v350, str):
      raise Invalid('config.roles.orchestrator must be string')
     if isinstance(v350, str):
      v290 = len(v350)
      if v290 < 1:
       raise Invalid('config.roles.orchestrator must be longer than or equal to 1 characters')
      if v290 > 64:
       raise Invalid('config.roles.orchestrator must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v350):
       raise Invalid('config.roles.orchestrator must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'builder' in v415:
     v415.remove('builder')
     v391 = v431['builder']
     if not isinstance(v391, str):
      raise Invalid('config.roles.builder must be string')
     if isinstance(v391, str):
      v361 = len(v391)
      if v361 < 1:
       raise Invalid('config.roles.builder must be longer than or equal to 1 characters')
      if v361 > 64:
       raise Invalid('config.roles.builder must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v391):
       raise Invalid('config.roles.builder must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'reviewer' in v415:
     v415.remove('reviewer')
     v383 = v431['reviewer']
     if not isinstance(v383, str):
      raise Invalid('config.roles.reviewer must be string')
     if isinstance(v383, str):
      v351 = len(v383)
      if v351 < 1:
       raise Invalid('config.roles.reviewer must be longer than or equal to 1 characters')
      if v351 > 64:
       raise Invalid('config.roles.reviewer must be shorter than or equal to 64 characters')
      if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v383):
       raise Invalid('config.roles.reviewer must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if v415:
     raise Invalid('config.roles must not contain ' + str(v415) + ' properties')
  if 'scope' in v435:
   v435.remove('scope')
   v432 = data['scope']
   if not isinstance(v432, dict):
    raise Invalid('config.scope must be object')
   v397 = isinstance(v432, dict)
   if v397:
    v354 = set([]) - v432.keys()
    if v354:
     raise Invalid('config.scope must contain ' + (str(sorted(v354)) + ' properties'))
    v417 = set(v432.keys())
    if 'default_allowed_globs' in v417:
     v417.remove('default_allowed_globs')
     v241 = v432['default_allowed_globs']
     if not isinstance(v241, (list, tuple)):
      raise Invalid('config.scope.default_allowed_globs must be array')
     v80 = isinstance(v241, (list, tuple))
     if v80:
      v147 = len(v241)
      if v147 > 200:
       raise Invalid('config.scope.default_allowed_globs must contain less than or equal to 200 items')
      for v193, v133 in enumerate(v241):
       if not isinstance(v133, str):
        raise Invalid('config' + '.scope.default_allowed_globs[{v193}]'.format(**locals()) + ' must be string')
       if isinstance(v133, str):
        v65 = len(v133)
        if v65 < 1:
         raise Invalid('config' + '.scope.default_allowed_globs[{v193}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v65 > 200:
         raise Invalid('config' + '.scope.default_allowed_globs[{v193}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'default_forbidden_globs' in v417:
     v417.remove('default_forbidden_globs')
     v194 = v432['default_forbidden_globs']
     if not isinstance(v194, (list, tuple)):
      raise Invalid('config.scope.default_forbidden_globs must be array')
     v50 = isinstance(v194, (list, tuple))
     if v50:
      v116 = len(v194)
      if v116 > 200:
       raise Invalid('config.scope.default_forbidden_globs must contain less than or equal to 200 items')
      for v148, v99 in enumerate(v194):
       if not isinstance(v99, str):
        raise Invalid('config' + '.scope.default_forbidden_globs[{v148}]'.format(**locals()) + ' must be string')
       if isinstance(v99, str):
        v40 = len(v99)
        if v40 < 1:
         raise Invalid('config' + '.scope.default_forbidden_globs[{v148}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v40 > 200:
         raise Invalid('config' + '.scope.default_forbidden_globs[{v148}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'default_allow_new_files' in v417:
     v417.remove('default_allow_new_files')
     v218 = v432['default_allow_new_files']
     if not isinstance(v218, bool):
      raise Invalid('config.scope.default_allow_new_files must be boolean')
    if 'default_allow_lockfile_changes' in v417:
     v417.remove('default_allow_lockfile_changes')
     v81 = v432['default_allow_lockfile_changes']
     if not isinstance(v81, bool):
      raise Invalid('config.scope.default_allow_lockfile_changes must be boolean')
    if 'lockfiles' in v417:
     v417.remove('lockfiles')
     v374 = v432['lockfiles']
     if not isinstance(v374, (list, tuple)):
      raise Invalid('config.scope.lockfiles must be array')
     v279 = isinstance(v374, (list, tuple))
     if v279:
      v341 = len(v374)
      if v341 > 200:
       raise Invalid('config.scope.lockfiles must contain less than or equal to 200 items')
      for v363, v323 in enumerate(v374):
       if not isinstance(v323, str):
        raise Invalid('config' + '.scope.lockfiles[{v363}]'.format(**locals()) + ' must be string')
       if isinstance(v323, str):
        v256 = len(v323)
        if v256 < 1:
         raise Invalid('config' + '.scope.lockfiles[{v363}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v256 > 200:
         raise Invalid('config' + '.scope.lockfiles[{v363}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'ceiling_globs' in v417:
     v417.remove('ceiling_globs')
     v353 = v432['ceiling_globs']
     if not isinstance(v353, (list, tuple)):
      raise Invalid('config.scope.ceiling_globs must be array')
     v217 = isinstance(v353, (list, tuple))
     if v217:
      v292 = len(v353)
      if v292 > 200:
       raise Invalid('config.scope.ceiling_globs must contain less than or equal to 200 items')
      for v322, v278 in enumerate(v353):
       if not isinstance(v278, str):
        raise Invalid('config' + '.scope.ceiling_globs[{v322}]'.format(**locals()) + ' must be string')
       if isinstance(v278, str):
        v191 = len(v278)
        if v191 < 1:
         raise Invalid('config' + '.scope.ceiling_globs[{v322}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v191 > 200:
         raise Invalid('config' + '.scope.ceiling_globs[{v322}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'protected_globs' in v417:
     v417.remove('protected_globs')
     v324 = v432['protected_globs']
     if not isinstance(v324, (list, tuple)):
      raise Invalid('config.scope.protected_globs must be array')
     v168 = isinstance(v324, (list, tuple))
     if v168:
      v257 = len(v324)
      if v257 > 200:
       raise Invalid('config.scope.protected_globs must contain less than or equal to 200 items')
      for v293, v242 in enumerate(v324):
       if not isinstance(v242, str):
        raise Invalid('config' + '.scope.protected_globs[{v293}]'.format(**locals()) + ' must be string')
       if isinstance(v242, str):
        v149 = len(v242)
        if v149 < 1:
         raise Invalid('config' + '.scope.protected_globs[{v293}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v149 > 200:
         raise Invalid('config' + '.scope.protected_globs[{v293}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'control_files_allowed' in v417:
     v417.remove('control_files_allowed')
     v240 = v432['control_files_allowed']
     if not isinstance(v240, (list, tuple)):
      raise Invalid('config.scope.control_files_allowed must be array')
     v79 = isinstance(v240, (list, tuple))
     if v79:
      v146 = len(v240)
      if v146 > 200:
       raise Invalid('config.scope.control_files_allowed must contain less than or equal to 200 items')
      for v192, v132 in enumerate(v240):
       if not isinstance(v132, str):
        raise Invalid('config' + '.scope.control_files_allowed[{v192}]'.format(**locals()) + ' must be string')
       if isinstance(v132, str):
        v64 = len(v132)
        if v64 < 1:
         raise Invalid('config' + '.scope.control_files_allowed[{v192}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v64 > 200:
         raise Invalid('config' + '.scope.control_files_allowed[{v192}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'volatile_globs' in v417:
     v417.remove('volatile_globs')
     v342 = v432['volatile_globs']
     if not isinstance(v342, (list, tuple)):
      raise Invalid('config.scope.volatile_globs must be array')
     v195 = isinstance(v342, (list, tuple))
     if v195:
      v280 = len(v342)
      if v280 > 200:
       raise Invalid('config.scope.volatile_globs must contain less than or equal to 200 items')
      for v307, v259 in enumerate(v342):
       if not isinstance(v259, str):
        raise Invalid('config' + '.scope.volatile_globs[{v307}]'.format(**locals()) + ' must be string')
       if isinstance(v259, str):
        v170 = len(v259)
        if v170 < 1:
         raise Invalid('config' + '.scope.volatile_globs[{v307}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v170 > 200:
         raise Invalid('config' + '.scope.volatile_globs[{v307}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if 'secret_scan' in v417:
     v417.remove('secret_scan')
     v367 = v432['secret_scan']
     if not isinstance(v367, bool):
      raise Invalid('config.scope.secret_scan must be boolean')
    if 'secret_allowed_globs' in v417:
     v417.remove('secret_allowed_globs')
     v258 = v432['secret_allowed_globs']
     if not isinstance(v258, (list, tuple)):
      raise Invalid('config.scope.secret_allowed_globs must be array')
     v100 = isinstance(v258, (list, tuple))
     if v100:
      v169 = len(v258)
      if v169 > 200:
       raise Invalid('config.scope.secret_allowed_globs must contain less than or equal to 200 items')
      for v219, v150 in enumerate(v258):
       if not isinstance(v150, str):
        raise Invalid('config' + '.scope.secret_allowed_globs[{v219}]'.format(**locals()) + ' must be string')
       if isinstance(v150, str):
        v82 = len(v150)
        if v82 < 1:
         raise Invalid('config' + '.scope.secret_allowed_globs[{v219}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v82 > 200:
         raise Invalid('config' + '.scope.secret_allowed_globs[{v219}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
    if v417:
     raise Invalid('config.scope must not contain ' + str(v417) + ' properties')
  if 'diff_limits' in v435:
   v435.remove('diff_limits')
   v414 = data['diff_limits']
   if not isinstance(v414, dict):
    raise Invalid('config.diff_limits must be object')
   v357 = isinstance(v414, dict)
   if v357:
    v267 = set([]) - v414.keys()
    if v267:
     raise Invalid('config.diff_limits must contain ' + (str(sorted(v267)) + ' properties'))
    v379 = set(v414.keys())
    if 'default_max_files_touched' in v379:
     v379.remove('default_max_files_touched')
     v71 = v414['default_max_files_touched']
     if not isinstance(v71, int) and (not (isinstance(v71, float) and v71.is_integer())) or isinstance(v71, bool):
      raise Invalid('config.diff_limits.default_max_files_touched must be integer')
     if isinstance(v71, (int, float, float)):
      if v71 < 1:
       raise Invalid('config.diff_limits.default_max_files_touched must be bigger than or equal to 1')
    if 'default_max_lines_changed' in v379:
     v379.remove('default_max_lines_changed')
     v72 = v414['default_max_lines_changed']
     if not isinstance(v72, int) and (not (isinstance(v72, float) and v72.is_integer())) or isinstance(v72, bool):
      raise Invalid('config.diff_limits.default_max_lines_changed must be integer')
     if isinstance(v72, (int, float, float)):
      if v72 < 1:
       raise Invalid('config.diff_limits.default_max_lines_changed must be bigger than or equal to 1')
    if 'default_max_bytes' in v379:
     v379.remove('default_max_bytes')
     v205 = v414['default_max_bytes']
     if not isinstance(v205, int) and (not (isinstance(v205, float) and v205.is_integer())) or isinstance(v205, bool):
      raise Invalid('config.diff_limits.default_max_bytes must be integer')
     if isinstance(v205, (int, float, float)):
      if v205 < 1:
       raise Invalid('config.diff_limits.default_max_bytes must be bigger than or equal to 1')
    if 'ceiling_max_files_touched' in v379:
     v379.remove('ceiling_max_files_touched')
     v69 = v414['ceiling_max_files_touched']
     if not isinstance(v69, (int, NoneType)) and (not (isinstance(v69, float) and v69.is_integer())) or isinstance(v69, bool):
      raise Invalid('config.diff_limits.ceiling_max_files_touched must be integer or null')
     if isinstance(v69, (int, float, float)):
      if v69 < 1:
       raise Invalid('config.diff_limits.ceiling_max_files_touched must be bigger than or equal to 1')
    if 'ceiling_max_lines_changed' in v379:
     v379.remove('ceiling_max_lines_changed')
     v70 = v414['ceiling_max_lines_changed']
     if not isinstance(v70, (int, NoneType)) and (not (isinstance(v70, float) and v70.is_integer())) or isinstance(v70, bool):
      raise Invalid('config.diff_limits.ceiling_max_lines_changed must be integer or null')
     if isinstance(v70, (int, float, float)):
      if v70 < 1:
       raise Invalid('config.diff_limits.ceiling_max_lines_changed must be bigger than or equal to 1')
    if v379:
     raise Invalid('config.diff_limits must not contain ' + str(v379) + ' properties')
  if 'verification' in v435:
   v435.remove('verification')
   v406 = data['verification']
   if not isinstance(v406, dict):
    raise Invalid('config.verification must be object')
   v343 = isinstance(v406, dict)
   if v343:
    v243 = set([]) - v406.keys()
    if v243:
     raise Invalid('config.verification must contain ' + (str(sorted(v243)) + ' properties'))
    v368 = set(v406.keys())
    if 'execution_mode' in v368:
     v368.remove('execution_mode')
     v221 = v406['execution_mode']
     if not isinstance(v221, str):
      raise Invalid('config.verification.execution_mode must be string')
     if v221 not in ['argv_no_shell']:
      raise Invalid("config.verification.execution_mode must be one of ['argv_no_shell']")
    if 'max_param_len' in v368:
     v368.remove('max_param_len')
     v261 = v406['max_param_len']
     if not isinstance(v261, int) and (not (isinstance(v261, float) and v261.is_integer())) or isinstance(v261, bool):
      raise Invalid('config.verification.max_param_len must be integer')
     if isinstance(v261, (int, float, float)):
      if v261 < 1:
       raise Invalid('config.verification.max_param_len must be bigger than or equal to 1')
    if 'reject_whitespace_in_params' in v368:
     v368.remove('reject_whitespace_in_params')
     v34 = v406['reject_whitespace_in_params']
     if not isinstance(v34, bool):
      raise Invalid('config.verification.reject_whitespace_in_params must be boolean')
    if 'reject_dotdot' in v368:
     v368.remove('reject_dotdot')
     v245 = v406['reject_dotdot']
     if not isinstance(v245, bool):
      raise Invalid('config.verification.reject_dotdot must be boolean')
    if 'reject_metachars_regex' in v368:
     v368.remove('reject_metachars_regex')
     v86 = v406['reject_metachars_regex']
     if not isinstance(v86, str):
      raise Invalid('config.verification.reject_metachars_regex must be string')
     if isinstance(v86, str):
      v33 = len(v86)
      if v33 > 1000:
       raise Invalid('config.verification.reject_metachars_regex must be shorter than or equal to 1000 characters')
    if 'timeout_fast_seconds' in v368:
     v368.remove('timeout_fast_seconds')
     v119 = v406['timeout_fast_seconds']
     if not isinstance(v119, int) and (not (isinstance(v119, float) and v119.is_integer())) or isinstance(v119, bool):
      raise Invalid('config.verification.timeout_fast_seconds must be integer')
     if isinstance(v119, (int, float, float)):
      if v119 < 1:
       raise Invalid('config.verification.timeout_fast_seconds must be bigger than or equal to 1')
    if 'timeout_slow_seconds' in v368:
     v368.remove('timeout_slow_seconds')
     v120 = v406['timeout_slow_seconds']
     if not isinstance(v120, int) and (not (isinstance(v120, float) and v120.is_integer())) or isinstance(v120, bool):
      raise Invalid('config.verification.timeout_slow_seconds must be integer')
     if isinstance(v120, (int, float, float)):
      if v120 < 1:
       raise Invalid('config.verification.timeout_slow_seconds must be bigger than or equal to 1')
    if 'required_fast' in v368:
     v368.remove('required_fast')
     v246 = v406['required_fast']
     if not isinstance(v246, (list, tuple)):
      raise Invalid('config.verification.required_fast must be array')
     v87 = isinstance(v246, (list, tuple))
     if v87:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v155 = len(v246)
      if v155 > len(set((fn(v198) for v198 in v246))):
       raise Invalid('config.verification.required_fast must contain unique items')
      for v198, v135 in enumerate(v246):
       if not isinstance(v135, str):
        raise Invalid('config' + '.verification.required_fast[{v198}]'.format(**locals()) + ' must be string')
       if isinstance(v135, str):
        v67 = len(v135)
        if v67 < 1:
         raise Invalid('config' + '.verification.required_fast[{v198}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v67 > 64:
         raise Invalid('config' + '.verification.required_fast[{v198}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v135):
         raise Invalid('config' + '.verification.required_fast[{v198}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'required_slow' in v368:
     v368.remove('required_slow')
     v247 = v406['required_slow']
     if not isinstance(v247, (list, tuple)):
      raise Invalid('config.verification.required_slow must be array')
     v88 = isinstance(v247, (list, tuple))
     if v88:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v156 = len(v247)
      if v156 > len(set((fn(v199) for v199 in v247))):
       raise Invalid('config.verification.required_slow must contain unique items')
      for v199, v136 in enumerate(v247):
       if not isinstance(v136, str):
        raise Invalid('config' + '.verification.required_slow[{v199}]'.format(**locals()) + ' must be string')
       if isinstance(v136, str):
        v68 = len(v136)
        if v68 < 1:
         raise Invalid('config' + '.verification.required_slow[{v199}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v68 > 64:
         raise Invalid('config' + '.verification.required_slow[{v199}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v136):
         raise Invalid('config' + '.verification.required_slow[{v199}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if 'baseline' in v368:
     v368.remove('baseline')
     v308 = v406['baseline']
     if not isinstance(v308, bool):
      raise Invalid('config.verification.baseline must be boolean')
    if 'sandbox' in v368:
     v368.remove('sandbox')
     v326 = v406['sandbox']
     if v326 not in ['auto', 'on', 'off', True, False]:
      raise Invalid("config.verification.sandbox must be one of ['auto', 'on', 'off', True, False]")
    if 'network' in v368:
     v368.remove('network')
     v325 = v406['network']
     if not isinstance(v325, bool):
      raise Invalid('config.verification.network must be boolean')
    if 'reach' in v368:
     v368.remove('reach')
     v355 = v406['reach']
     if not isinstance(v355, dict):
      raise Invalid('config.verification.reach must be object')
     v223 = isinstance(v355, dict)
     if v223:
      v102 = set([]) - v355.keys()
      if v102:
       raise Invalid('config.verification.reach must contain ' + (str(sorted(v102)) + ' properties'))
      v281 = set(v355.keys())
      if 'write' in v281:
       v281.remove('write')
       v244 = v355['write']
       if not isinstance(v244, (list, tuple)):
        raise Invalid('config.verification.reach.write must be array')
       v85 = isinstance(v244, (list, tuple))
       if v85:
        v154 = len(v244)
        if v154 > 50:
         raise Invalid('config.verification.reach.write must contain less than or equal to 50 items')
        for v197, v134 in enumerate(v244):
         if not isinstance(v134, str):
          raise Invalid('config' + '.verification.reach.write[{v197}]'.format(**locals()) + ' must be string')
         if isinstance(v134, str):
          v66 = len(v134)
          if v66 < 1:
           raise Invalid('config' + '.verification.reach.write[{v197}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v66 > 500:
           raise Invalid('config' + '.verification.reach.write[{v197}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
          if not REGEX_PATTERNS['^[^\\x00-\\x1f]*$'].search(v134):
           raise Invalid('config' + '.verification.reach.write[{v197}]'.format(**locals()) + ' must match pattern ^[^\\x00-\\x1f]*$')
      if 'read' in v281:
       v281.remove('read')
       v262 = v355['read']
       if not isinstance(v262, (list, tuple)):
        raise Invalid('config.verification.reach.read must be array')
       v103 = isinstance(v262, (list, tuple))
       if v103:
        v172 = len(v262)
        if v172 > 50:
         raise Invalid('config.verification.reach.read must contain less than or equal to 50 items')
        for v222, v152 in enumerate(v262):
         if not isinstance(v152, str):
          raise Invalid('config' + '.verification.reach.read[{v222}]'.format(**locals()) + ' must be string')
         if isinstance(v152, str):
          v84 = len(v152)
          if v84 < 1:
           raise Invalid('config' + '.verification.reach.read[{v222}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v84 > 500:
           raise Invalid('config' + '.verification.reach.read[{v222}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
          if not REGEX_PATTERNS['^[^\\x00-\\x1f]*$'].search(v152):
           raise Invalid('config' + '.verification.reach.read[{v222}]'.format(**locals()) + ' must match pattern ^[^\\x00-\\x1f]*$')
      if 'sockets' in v281:
       v281.remove('sockets')
       v196 = v355['sockets']
       if not isinstance(v196, (list, tuple)):
        raise Invalid('config.verification.reach.sockets must be array')
       v51 = isinstance(v196, (list, tuple))
       if v51:
        v117 = len(v196)
        if v117 > 50:
         raise Invalid('config.verification.reach.sockets must contain less than or equal to 50 items')
        for v153, v104 in enumerate(v196):
         if not isinstance(v104, str):
          raise Invalid('config' + '.verification.reach.sockets[{v153}]'.format(**locals()) + ' must be string')
         if isinstance(v104, str):
          v41 = len(v104)
          if v41 < 1:
           raise Invalid('config' + '.verification.reach.sockets[{v153}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v41 > 500:
           raise Invalid('config' + '.verification.reach.sockets[{v153}]'.format(**locals()) + ' must be shorter than or equal to 500 characters')
          if not REGEX_PATTERNS['^[^\\x00-\\x1f]*$'].search(v104):
           raise Invalid('config' + '.verification.reach.sockets[{v153}]'.format(**locals()) + ' must match pattern ^[^\\x00-\\x1f]*$')
      if v281:
       raise Invalid('config.verification.reach must not contain ' + str(v281) + ' properties')
    if 'environment' in v368:
     v368.remove('environment')
     v260 = v406['environment']
     if not isinstance(v260, (list, tuple)):
      raise Invalid('config.verification.environment must be array')
     v101 = isinstance(v260, (list, tuple))
     if v101:
      v171 = len(v260)
      if v171 > 100:
       raise Invalid('config.verification.environment must contain less than or equal to 100 items')

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      if v171 > len(set((fn(v220) for v220 in v260))):
       raise Invalid('config.verification.environment must contain unique items')
      for v220, v151 in enumerate(v260):
       if not isinstance(v151, str):
        raise Invalid('config' + '.verification.environment[{v220}]'.format(**locals()) + ' must be string')
       if isinstance(v151, str):
        v83 = len(v151)
        if v83 < 1:
         raise Invalid('config' + '.verification.environment[{v220}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v83 > 100:
         raise Invalid('config' + '.verification.environment[{v220}]'.format(**locals()) + ' must be shorter than or equal to 100 characters')
        if not REGEX_PATTERNS['^[A-Za-z_][A-Za-z0-9_]*\\*?$'].search(v151):
         raise Invalid('config' + '.verification.environment[{v220}]'.format(**locals()) + ' must match pattern ^[A-Za-z_][A-Za-z0-9_]*\\*?$')
    if 'templates' in v368:
     v368.remove('templates')
     v294 = v406['templates']
     if not isinstance(v294, (list, tuple)):
      raise Invalid('config.verification.templates must be array')
     v137 = isinstance(v294, (list, tuple))
     if v137:
      v224 = len(v294)
      if v224 > 64:
       raise Invalid('config.verification.templates must contain less than or equal to 64 items')
      for v263, v200 in enumerate(v294):
       if not isinstance(v200, dict):
        raise Invalid('config' + '.verification.templates[{v263}]'.format(**locals()) + ' must be object')
       v55 = isinstance(v200, dict)
       if v55:
        v19 = set(['id', 'cmd', 'args']) - v200.keys()
        if v19:
         raise Invalid('config' + '.verification.templates[{v263}]'.format(**locals()) + ' must contain ' + (str(sorted(v19)) + ' properties'))
        v106 = set(v200.keys())
        if 'id' in v106:
         v106.remove('id')
         v118 = v200['id']
         if not isinstance(v118, str):
          raise Invalid('config' + '.verification.templates[{v263}].id'.format(**locals()) + ' must be string')
         if isinstance(v118, str):
          v53 = len(v118)
          if v53 < 1:
           raise Invalid('config' + '.verification.templates[{v263}].id'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v53 > 64:
           raise Invalid('config' + '.verification.templates[{v263}].id'.format(**locals()) + ' must be shorter than or equal to 64 characters')
          if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v118):
           raise Invalid('config' + '.verification.templates[{v263}].id'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
        if 'cmd' in v106:
         v106.remove('cmd')
         v105 = v200['cmd']
         if not isinstance(v105, str):
          raise Invalid('config' + '.verification.templates[{v263}].cmd'.format(**locals()) + ' must be string')
         if isinstance(v105, str):
          v42 = len(v105)
          if v42 < 1:
           raise Invalid('config' + '.verification.templates[{v263}].cmd'.format(**locals()) + ' must be longer than or equal to 1 characters')
          if v42 > 300:
           raise Invalid('config' + '.verification.templates[{v263}].cmd'.format(**locals()) + ' must be shorter than or equal to 300 characters')
          if not REGEX_PATTERNS['^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$'].search(v105):
           raise Invalid('config' + '.verification.templates[{v263}].cmd'.format(**locals()) + ' must match pattern ^[^-{\\x00-\\x1f][^{\\x00-\\x1f]*$')
        if 'args' in v106:
         v106.remove('args')
         v89 = v200['args']
         if not isinstance(v89, (list, tuple)):
          raise Invalid('config' + '.verification.templates[{v263}].args'.format(**locals()) + ' must be array')
         v18 = isinstance(v89, (list, tuple))
         if v18:
          v35 = len(v89)
          if v35 > 40:
           raise Invalid('config' + '.verification.templates[{v263}].args'.format(**locals()) + ' must contain less than or equal to 40 items')
          for v52, v29 in enumerate(v89):
           if not isinstance(v29, str):
            raise Invalid('config' + '.verification.templates[{v263}].args[{v52}]'.format(**locals()) + ' must be string')
           if isinstance(v29, str):
            v16 = len(v29)
            if v16 > 1000:
             raise Invalid('config' + '.verification.templates[{v263}].args[{v52}]'.format(**locals()) + ' must be shorter than or equal to 1000 characters')
        if 'params' in v106:
         v106.remove('params')
         v54 = v200['params']
         if not isinstance(v54, dict):
          raise Invalid('config' + '.verification.templates[{v263}].params'.format(**locals()) + ' must be object')
         v14 = isinstance(v54, dict)
         if v14:
          v23 = set(v54.keys())
          for v25 in v23:
           if v25 not in []:
            v20 = v54.get(v25)
            if not isinstance(v20, dict):
             raise Invalid('config' + '.verification.templates[{v263}].params.{v25}'.format(**locals()) + ' must be object')
            try:
             v7 = isinstance(v20, dict)
             if v7:
              v2 = set(['kind']) - v20.keys()
              if v2:
               raise Invalid('config' + '.verification.templates[{v263}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
              v10 = set(v20.keys())
              if 'kind' in v10:
               v10.remove('kind')
               v9 = v20['kind']
               if v9 != 'enum':
                raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.kind'.format(**locals()) + ' must be same as const definition: enum')
            except Invalid:
             pass
            else:
             v7 = isinstance(v20, dict)
             if v7:
              v2 = set(['values']) - v20.keys()
              if v2:
               raise Invalid('config' + '.verification.templates[{v263}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
            v7 = isinstance(v20, dict)
            if v7:
             v2 = set(['kind']) - v20.keys()
             if v2:
              raise Invalid('config' + '.verification.templates[{v263}].params.{v25}'.format(**locals()) + ' must contain ' + (str(sorted(v2)) + ' properties'))
             v10 = set(v20.keys())
             if 'kind' in v10:
              v10.remove('kind')
              v9 = v20['kind']
              if not isinstance(v9, str):
               raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.kind'.format(**locals()) + ' must be string')
              if v9 not in ['string_token', 'path', 'integer', 'enum']:
               raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.kind'.format(**locals()) + " must be one of ['string_token', 'path', 'integer', 'enum']")
             if 'values' in v10:
              v10.remove('values')
              v6 = v20['values']
              if not isinstance(v6, (list, tuple)):
               raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values'.format(**locals()) + ' must be array')
              v1 = isinstance(v6, (list, tuple))
              if v1:
               v4 = len(v6)
               if v4 < 1:
                raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values'.format(**locals()) + ' must contain at least 1 items')
               if v4 > 100:
                raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values'.format(**locals()) + ' must contain less than or equal to 100 items')
               for v5, v3 in enumerate(v6):
                if not isinstance(v3, str):
                 raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be string')
                if isinstance(v3, str):
                 v0 = len(v3)
                 if v0 < 1:
                  raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
                 if v0 > 200:
                  raise Invalid('config' + '.verification.templates[{v263}].params.{v25}.values[{v5}]'.format(**locals()) + ' must be shorter than or equal to 200 characters')
             if v10:
              raise Invalid('config' + '.verification.templates[{v263}].params.{v25}'.format(**locals()) + ' must not contain ' + str(v10) + ' properties')
        if v106:
         raise Invalid('config' + '.verification.templates[{v263}]'.format(**locals()) + ' must not contain ' + str(v106) + ' properties')
    if v368:
     raise Invalid('config.verification must not contain ' + str(v368) + ' properties')
  if 'budgets' in v435:
   v435.remove('budgets')
   v421 = data['budgets']
   if not isinstance(v421, dict):
    raise Invalid('config.budgets must be object')
   v376 = isinstance(v421, dict)
   if v376:
    v309 = set([]) - v421.keys()
    if v309:
     raise Invalid('config.budgets must contain ' + (str(sorted(v309)) + ' properties'))
    v398 = set(v421.keys())
    if 'per_milestone' in v398:
     v398.remove('per_milestone')
     v310 = v421['per_milestone']
     if not isinstance(v310, dict):
      raise Invalid('config.budgets.per_milestone must be object')
     v157 = isinstance(v310, dict)
     if v157:
      v56 = set([]) - v310.keys()
      if v56:
       raise Invalid('config.budgets.per_milestone must contain ' + (str(sorted(v56)) + ' properties'))
      v225 = set(v310.keys())
      if 'max_ticks' in v225:
       v225.remove('max_ticks')
       v121 = v310['max_ticks']
       if not isinstance(v121, int) and (not (isinstance(v121, float) and v121.is_integer())) or isinstance(v121, bool):
        raise Invalid('config.budgets.per_milestone.max_ticks must be integer')
       if isinstance(v121, (int, float, float)):
        if v121 < 0:
         raise Invalid('config.budgets.per_milestone.max_ticks must be bigger than or equal to 0')
      if 'max_orchestrator_calls' in v225:
       v225.remove('max_orchestrator_calls')
       v15 = v310['max_orchestrator_calls']
       if not isinstance(v15, int) and (not (isinstance(v15, float) and v15.is_integer())) or isinstance(v15, bool):
        raise Invalid('config.budgets.per_milestone.max_orchestrator_calls must be integer')
       if isinstance(v15, (int, float, float)):
        if v15 < 0:
         raise Invalid('config.budgets.per_milestone.max_orchestrator_calls must be bigger than or equal to 0')
      if 'max_builder_calls' in v225:
       v225.remove('max_builder_calls')
       v30 = v310['max_builder_calls']
       if not isinstance(v30, int) and (not (isinstance(v30, float) and v30.is_integer())) or isinstance(v30, bool):
        raise Invalid('config.budgets.per_milestone.max_builder_calls must be integer')
       if isinstance(v30, (int, float, float)):
        if v30 < 0:
         raise Invalid('config.budgets.per_milestone.max_builder_calls must be bigger than or equal to 0')
      if 'max_verify_runs' in v225:
       v225.remove('max_verify_runs')
       v43 = v310['max_verify_runs']
       if not isinstance(v43, int) and (not (isinstance(v43, float) and v43.is_integer())) or isinstance(v43, bool):
        raise Invalid('config.budgets.per_milestone.max_verify_runs must be integer')
       if isinstance(v43, (int, float, float)):
        if v43 < 0:
         raise Invalid('config.budgets.per_milestone.max_verify_runs must be bigger than or equal to 0')
      if 'max_estimated_cost_usd' in v225:
       v225.remove('max_estimated_cost_usd')
       v17 = v310['max_estimated_cost_usd']
       if not isinstance(v17, (int, float, float)) or isinstance(v17, bool):
        raise Invalid('config.budgets.per_milestone.max_estimated_cost_usd must be number')
       if isinstance(v17, (int, float, float)):
        if v17 < 0:
         raise Invalid('config.budgets.per_milestone.max_estimated_cost_usd must be bigger than or equal to 0')
      if v225:
       raise Invalid('config.budgets.per_milestone must not contain ' + str(v225) + ' properties')
    if 'total' in v398:
     v398.remove('total')
     v385 = v421['total']
     if not isinstance(v385, dict):
      raise Invalid('config.budgets.total must be object')
     v295 = isinstance(v385, dict)
     if v295:
      v173 = set([]) - v385.keys()
      if v173:
       raise Invalid('config.budgets.total must contain ' + (str(sorted(v173)) + ' properties'))
      v344 = set(v385.keys())
      if 'max_ticks' in v344:
       v344.remove('max_ticks')
       v264 = v385['max_ticks']
       if not isinstance(v264, (int, NoneType)) and (not (isinstance(v264, float) and v264.is_integer())) or isinstance(v264, bool):
        raise Invalid('config.budgets.total.max_ticks must be integer or null')
       if isinstance(v264, (int, float, float)):
        if v264 < 0:
         raise Invalid('config.budgets.total.max_ticks must be bigger than or equal to 0')
      if 'max_orchestrator_calls' in v344:
       v344.remove('max_orchestrator_calls')
       v44 = v385['max_orchestrator_calls']
       if not isinstance(v44, (int, NoneType)) and (not (isinstance(v44, float) and v44.is_integer())) or isinstance(v44, bool):
        raise Invalid('config.budgets.total.max_orchestrator_calls must be integer or null')
       if isinstance(v44, (int, float, float)):
        if v44 < 0:
         raise Invalid('config.budgets.total.max_orchestrator_calls must be bigger than or equal to 0')
      if 'max_builder_calls' in v344:
       v344.remove('max_builder_calls')
       v122 = v385['max_builder_calls']
       if not isinstance(v122, (int, NoneType)) and (not (isinstance(v122, float) and v122.is_integer())) or isinstance(v122, bool):
        raise Invalid('config.budgets.total.max_builder_calls must be integer or null')
       if isinstance(v122, (int, float, float)):
        if v122 < 0:
         raise Invalid('config.budgets.total.max_builder_calls must be bigger than or equal to 0')
      if 'max_verify_runs' in v344:
       v344.remove('max_verify_runs')
       v158 = v385['max_verify_runs']
       if not isinstance(v158, (int, NoneType)) and (not (isinstance(v158, float) and v158.is_integer())) or isinstance(v158, bool):
        raise Invalid('config.budgets.total.max_verify_runs must be integer or null')
       if isinstance(v158, (int, float, float)):
        if v158 < 0:
         raise Invalid('config.budgets.total.max_verify_runs must be bigger than or equal to 0')
      if v344:
       raise Invalid('config.budgets.total must not contain ' + str(v344) + ' properties')
    if 'warn_at_fraction' in v398:
     v398.remove('warn_at_fraction')
     v282 = v421['warn_at_fraction']
     if not isinstance(v282, (int, float, float)) or isinstance(v282, bool):
      raise Invalid('config.budgets.warn_at_fraction must be number')
     if isinstance(v282, (int, float, float)):
      if v282 < 0.01:
       raise Invalid('config.budgets.warn_at_fraction must be bigger than or equal to 0.01')
      if v282 > 1:
       raise Invalid('config.budgets.warn_at_fraction must be smaller than or equal to 1')
    if v398:
     raise Invalid('config.budgets must not contain ' + str(v398) + ' properties')
  if 'milestone' in v435:
   v435.remove('milestone')
   v419 = data['milestone']
   if not isinstance(v419, dict):
    raise Invalid('config.milestone must be object')
   v365 = isinstance(v419, dict)
   if v365:
    v289 = set([]) - v419.keys()
    if v289:
     raise Invalid('config.milestone must contain ' + (str(sorted(v289)) + ' properties'))
    v388 = set(v419.keys())
    if 'done_when' in v388:
     v388.remove('done_when')
     v348 = v419['done_when']
     if not isinstance(v348, (list, tuple)):
      raise Invalid('config.milestone.done_when must be array')
     v214 = isinstance(v348, (list, tuple))
     if v214:

      def fn(var):
       return frozenset(dict(((k, fn(v)) for k, v in var.items())).items()) if hasattr(var, 'items') else tuple((fn(v) for v in var)) if isinstance(var, (dict, list)) else str(var) if isinstance(var, bool) else var
      v288 = len(v348)
      if v288 > len(set((fn(v319) for v319 in v348))):
       raise Invalid('config.milestone.done_when must contain unique items')
      for v319, v271 in enumerate(v348):
       if not isinstance(v271, str):
        raise Invalid('config' + '.milestone.done_when[{v319}]'.format(**locals()) + ' must be string')
       if isinstance(v271, str):
        v180 = len(v271)
        if v180 < 1:
         raise Invalid('config' + '.milestone.done_when[{v319}]'.format(**locals()) + ' must be longer than or equal to 1 characters')
        if v180 > 64:
         raise Invalid('config' + '.milestone.done_when[{v319}]'.format(**locals()) + ' must be shorter than or equal to 64 characters')
        if not REGEX_PATTERNS['^[A-Za-z0-9][A-Za-z0-9._-]*$'].search(v271):
         raise Invalid('config' + '.milestone.done_when[{v319}]'.format(**locals()) + ' must match pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$')
    if v388:
     raise Invalid('config.milestone must not contain ' + str(v388) + ' properties')
  if 'loop' in v435:
   v435.remove('loop')
   v433 = data['loop']
   if not isinstance(v433, dict):
    raise Invalid('config.loop must be object')
   v403 = isinstance(v433, dict)
   if v403:
    v359 = set([]) - v433.keys()
    if v359:
     raise Invalid('config.loop must contain ' + (str(sorted(v359)) + ' properties'))
    v418 = set(v433.keys())
    if 'stuck_after' in v418:
     v418.remove('stuck_after')
     v371 = v433['stuck_after']
     if not isinstance(v371, int) and (not (isinstance(v371, float) and v371.is_integer())) or isinstance(v371, bool):
      raise Invalid('config.loop.stuck_after must be integer')
     if isinstance(v371, (int, float, float)):
      if v371 < 1:
       raise Invalid('config.loop.stuck_after must be bigger than or equal to 1')
    if 'max_wait_seconds' in v418:
     v418.remove('max_wait_seconds')
     v331 = v433['max_wait_seconds']
     if not isinstance(v331, int) and (not (isinstance(v331, float) and v331.is_integer())) or isinstance(v331, bool):
      raise Invalid('config.loop.max_wait_seconds must be integer')
     if isinstance(v331, (int, float, float)):
      if v331 < 0:
       raise Invalid('config.loop.max_wait_seconds must be bigger than or equal to 0')
    if v418:
     raise Invalid('config.loop must not contain ' + str(v418) + ' properties')
  if 'history' in v435:
   v435.remove('history')
   v424 = data['history']
   if not isinstance(v424, dict):
    raise Invalid('config.history must be object')
   v381 = isinstance(v424, dict)
   if v381:
    v318 = set([]) - v424.keys()
    if v318:
     raise Invalid('config.history must contain ' + (str(sorted(v318)) + ' properties'))
    v402 = set(v424.keys())
    if 'enabled' in v402:
     v402.remove('enabled')
     v370 = v424['enabled']
     if not isinstance(v370, bool):
      raise Invalid('config.history.enabled must be boolean')
    if 'dir' in v402:
     v402.remove('dir')
     v401 = v424['dir']
     if not isinstance(v401, str):
      raise Invalid('config.history.dir must be string')
     if isinstance(v401, str):
      v369 = len(v401)
      if v369 < 1:
       raise Invalid('config.history.dir must be longer than or equal to 1 characters')
      if v369 > 200:
       raise Invalid('config.history.dir must be shorter than or equal to 200 characters')
      if not REGEX_PATTERNS['^[^/\\x00-\\x1f]'].search(v401):
       raise Invalid('config.history.dir must match pattern ^[^/\\x00-\\x1f]')
    if 'max_mb' in v402:
     v402.remove('max_mb')
     v387 = v424['max_mb']
     if not isinstance(v387, (int, float, float)) or isinstance(v387, bool):
      raise Invalid('config.history.max_mb must be number')
     if isinstance(v387, (int, float, float)):
      if v387 < 0:
       raise Invalid('config.history.max_mb must be bigger than or equal to 0')
    if 'include_diff_patch' in v402:
     v402.remove('include_diff_patch')
     v251 = v424['include_diff_patch']
     if not isinstance(v251, bool):
      raise Invalid('config.history.include_diff_patch must be boolean')
    if 'include_verify_log' in v402:
     v402.remove('include_verify_log')
     v252 = v424['include_verify_log']
     if not isinstance(v252, bool):
      raise Invalid('config.history.include_verify_log must be boolean')
    if v402:
     raise Invalid('config.history must not contain ' + str(v402) + ' properties')
  if 'git' in v435:
   v435.remove('git')
   v434 = data['git']
   if not isinstance(v434, dict):
    raise Invalid('config.git must be object')
   v409 = isinstance(v434, dict)
   if v409:
    v364 = set([]) - v434.keys()
    if v364:
     raise Invalid('config.git must contain ' + (str(sorted(v364)) + ' properties'))
    v420 = set(v434.keys())
    if 'commit_on_success' in v420:
     v420.remove('commit_on_success')
     v330 = v434['commit_on_success']
     if not isinstance(v330, bool):
      raise Invalid('config.git.commit_on_success must be boolean')
    if 'run_hooks' in v420:
     v420.remove('run_hooks')
     v395 = v434['run_hooks']
     if not isinstance(v395, bool):
      raise Invalid('config.git.run_hooks must be boolean')
    if v420:
     raise Invalid('config.git must not contain ' + str(v420) + ' properties')
  if v435:
   raise Invalid('config must not contain ' + str(v435) + ' properties')
 return data

def validate(document):
 return validate_https___relais_local_schemas_config_schema_json(document)
