import type { CallSite } from '../../dex/program.ts'
import type { Text } from '../result/scan-result.ts'
import { callText } from './code.ts'
import { text } from './rule.ts'

/** What a call is, and whether it may run before anybody could have agreed to anything. */
export function callTimeText(call: CallSite, early: boolean): Text {
  const { zh, en } = callText(call)
  return early ? text(`${zh}（启动阶段即可到达）`, `${en} (reached while the process starts)`) : text(zh, en)
}
