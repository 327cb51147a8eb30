import type { Component } from '../../apk/apk-facts.ts'
import { asksForPassword } from '../permissions/find-collected.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isExported } from './exported.ts'
import { type Judged, worthUpdating } from './little-to-protect.ts'
import { type ManifestContext, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

/** Text and level of a finding that an application is made for an old version of Android: low where versions after it change nothing for it. */
export function worthTargeting(context: RuleContext, detail: Text, level: FindingLevel | undefined): Judged {
  const judged = worthUpdating(context, detail, level)
  if (judged[1] || !asksNothingOfNewVersions(context)) return judged
  return [text(`${detail.zh}；${UNRESTRICTED.zh}`, `${detail.en}; ${UNRESTRICTED.en}`), 'low']
}

/**
 * Does an application for Android 9 or 10 use nothing that versions after it restrict: files and pictures, places, devices nearby, the list of
 * applications, and components that filters alone export, and know no password and no money? Its network is already kept to TLS by default.
 */
function asksNothingOfNewVersions(context: RuleContext): boolean {
  const { targetSdk, facts, permissions, program, packer, codeGap } = context
  if (targetSdk < 28 || !program || !facts || packer || codeGap || facts.sharedUserId) return false
  const isLauncher = ({ categories }: Component['intentFilters'][number]) =>
    categories.includes('android.intent.category.LAUNCHER')
  return (
    !asksForPassword(context) &&
    permissions.every(({ dangerous, state }) => !dangerous || state === 'undeclared') &&
    !facts.permissions.some(({ name }) => RESTRICTED_LATER.test(name)) &&
    !facts.components.some(
      (component) =>
        isExported(context as ManifestContext, component) &&
        !component.exportedWritten &&
        !component.permission &&
        !component.intentFilters.some(isLauncher),
    ) &&
    !INSTALLED.some((api) => program.callsTo(api).some((call) => context.ownerOf(call.method.owner).kind !== 'sdk'))
  )
}
const RESTRICTED_LATER =
  /BLUETOOTH|NFC|BILLING|SYSTEM_ALERT_WINDOW|QUERY_ALL_PACKAGES|USE_FULL_SCREEN_INTENT|REQUEST_INSTALL_PACKAGES|FOREGROUND_SERVICE/
const INSTALLED = [
  'Landroid/content/pm/PackageManager;->getInstalledPackages(',
  'Landroid/content/pm/PackageManager;->getInstalledApplications(',
  'Landroid/content/pm/PackageManager;->queryIntentActivities(',
]
const UNRESTRICTED = text(
  '应用未使用此后版本所限制的能力（文件、位置、附近设备、应用列表、隐式导出的组件）',
  'nothing that later versions restrict is used (files, location, devices nearby, the list of applications, components exported by filters)',
)
