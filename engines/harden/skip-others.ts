import type { HardenRequest } from './harden-request.ts'
import type { HardenText } from './harden-texts.ts'
import { HARDEN_OPTIONS, type HardenLog, type HardenOption } from './hardening.ts'
import { RUNTIME_CHECKS, type RuntimeCheck, type WantedChecks } from './runtime-checks.ts'

/** Says of each option that is wanted, and not among those that the kind of package has something for, why nothing is done. */
export function skipOthers(
  request: HardenRequest,
  done: readonly HardenOption[],
  reasonOf: (option: HardenOption) => HardenText,
  log: HardenLog,
): void {
  for (const option of wantedOptions(request)) if (!done.includes(option)) log.skipped(option, '', '', reasonOf(option))
}

/** The request without options that are not possible for the kind of package; those that are wanted are said, with the reason. */
export function withoutImpossible(
  request: HardenRequest,
  impossible: ReadonlyMap<HardenOption, HardenText>,
  log: HardenLog,
): HardenRequest {
  if (!impossible.size) return request
  for (const option of wantedOptions(request)) {
    const reason = impossible.get(option)
    if (reason) log.skipped(option, '', '', reason)
  }
  const checks = Object.entries(request.checks ?? {}).filter(([check]) => !impossible.has(check as HardenOption))
  const { virtualised, resources, ...rest } = request
  return {
    ...rest,
    ...(virtualised && !impossible.has('dex_vmp') && { virtualised }),
    ...(resources && !impossible.has('resource_protection') && { resources }),
    ...(request.preferences && { preferences: !impossible.has('db_protection') }),
    ...(request.certificates && { certificates: !impossible.has('cer_protection') }),
    ...(request.dexProtection && { dexProtection: !impossible.has('dex_protection') }),
    ...(request.zipCheck && { zipCheck: !impossible.has('zip_check') }),
    ...(request.checks && { checks: Object.fromEntries(checks) }),
  }
}

/** In the order of the list. */
export function wantedOptions(request: HardenRequest): HardenOption[] {
  const wanted: Readonly<Record<Exclude<HardenOption, RuntimeCheck>, boolean>> = {
    dex_protection: request.dexProtection === true,
    dex_vmp: request.virtualised !== undefined,
    so_protection: request.soProtection === true,
    third_party_so_ban: request.thirdPartySoBan !== undefined,
    js_protection: request.protectScript !== undefined,
    log_removal: (request.logLevels?.length ?? 0) > 0,
    anti_decompile: request.antiDecompile === true,
    zip_check: request.zipCheck === true,
    manifest_protection: request.manifest === true,
    anti_hijack: request.antiHijack === true,
    screenshot_prevention: request.screens !== undefined,
    db_protection: request.preferences === true,
    resource_protection: request.resources !== undefined,
    cer_protection: request.certificates === true,
    multi_channel: request.channels === true,
    risk_control: request.riskControl !== undefined,
  }
  const checks: WantedChecks = request.checks ?? {}
  return HARDEN_OPTIONS.filter((option) => (isCheck(option) ? option in checks : wanted[option]))
}

const isCheck = (option: HardenOption): option is RuntimeCheck => RUNTIME_CHECKS.some((one) => one === option)
