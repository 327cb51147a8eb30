import { broadcastRules } from './broadcast-rules.ts'
import { codeRules } from './code-rules.ts'
import { componentRules } from './component-rules.ts'
import { componentVersionRules } from './component-version-rules.ts'
import { cryptoRules } from './crypto-rules.ts'
import { intentRules } from './intent-rules.ts'
import { manifestRules } from './manifest-rules.ts'
import { nativeRules } from './native-rules.ts'
import { networkConfigRules } from './network-config-rules.ts'
import { networkRules } from './network-rules.ts'
import { privacyRules } from './privacy-rules.ts'
import { protectionRules } from './protection-rules.ts'
import { providerRules } from './provider-rules.ts'
import type { RuleTable } from './rule.ts'
import { screenRules } from './screen-rules.ts'
import { secretRules } from './secret-rules.ts'
import { signatureRules } from './signature-rules.ts'
import { signatureStateRules } from './signature-state-rules.ts'
import { storageRules } from './storage-rules.ts'
import { trafficRules } from './traffic-rules.ts'
import { webviewAnswerRules } from './webview-answer-rules.ts'
import { webviewRules } from './webview-rules.ts'

/** What answers each Android item. */
export const ANDROID_RULES: RuleTable = {
  ...manifestRules,
  ...networkConfigRules,
  ...componentRules,
  ...providerRules,
  ...intentRules,
  ...broadcastRules,
  ...webviewRules,
  ...webviewAnswerRules,
  ...cryptoRules,
  ...networkRules,
  ...storageRules,
  ...screenRules,
  ...codeRules,
  ...secretRules,
  ...nativeRules,
  ...signatureRules,
  ...signatureStateRules,
  ...protectionRules,
  ...componentVersionRules,
  ...privacyRules,
  ...trafficRules,
}
