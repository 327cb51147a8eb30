import type { ReinforceOptions } from '#domain/reinforce-policy.ts'
import type { HardenRequest } from '#engines/harden/harden-request.ts'
import { type CheckAction, RUNTIME_CHECKS, type RuntimeCheck } from '#engines/harden/runtime-checks.ts'

/** What the options of a policy ask of the engine; scripts are protected apart. `enrolmentKey`: of the application, '' without one. */
export function hardenRequest(options: ReinforceOptions, enrolmentKey: string): Omit<HardenRequest, 'keep' | 'seed'> {
  return {
    dexProtection: options.dex_protection.on,
    ...(options.dex_vmp.on && { virtualised: options.dex_vmp.patterns }),
    ...(options.third_party_so_ban.on && { thirdPartySoBan: options.third_party_so_ban.patterns }),
    soProtection: options.so_protection.on,
    logLevels: options.log_removal.on ? options.log_removal.levels : [],
    antiDecompile: options.anti_decompile.on,
    zipCheck: options.zip_check.on,
    manifest: options.manifest_protection.on,
    antiHijack: options.anti_hijack.on,
    ...(options.screenshot_prevention.on && { screens: options.screenshot_prevention.patterns }),
    preferences: options.db_protection.on,
    ...(options.resource_protection.on && { resources: options.resource_protection.patterns }),
    certificates: options.cer_protection.on,
    channels: options.multi_channel.on,
    ...(options.risk_control.on && {
      riskControl: {
        server: options.risk_control.server,
        enrolmentKey,
        closed: options.risk_control.fallback === 'closed',
      },
    }),
    checks: Object.fromEntries(
      RUNTIME_CHECKS.filter((check) => options[check].on).map((check) => [check, actionOf(options, check)]),
    ),
  }
}

/** A package whose shell was changed ends: that option has no action to choose. */
function actionOf(options: ReinforceOptions, check: RuntimeCheck): CheckAction {
  return check === 'shell_protection' ? 'exit' : options[check].action
}
