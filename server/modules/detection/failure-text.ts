import type { Text } from '#contracts/detection/scan-result.ts'
import type { ErrorKey } from '#contracts/errors.ts'
import { readingReason } from '../assets/parse-error-text.ts'

const LIMITS: Readonly<Record<string, string>> = {
  time: '运行时间',
  cpu: '处理器时间',
  memory: '内存',
  output: '结果大小',
}

/** The reason of a failure as the task stores it, in both languages; messages of the system are not translated. */
export function failureText(key: ErrorKey | (string & {}), detail: string): Text {
  const refused = key === 'asset.unreadable' && /^(\S+) (\S+) \(-?\d+\): (.*)$/s.exec(detail)
  if (refused) return readingReason(refused[1]!, refused[2]!, refused[3]!)
  const limit = key === 'detection.limit' && /^(\w+) \((.*)\)$/s.exec(detail)
  if (limit) {
    const [, name = '', bound] = limit
    return { zh: name === 'output' ? LIMITS['output']! : `${LIMITS[name] ?? name} ${bound}`, en: detail }
  }
  if (key === 'data.missing') return { zh: '安装包已不在文件库中', en: 'The package is no longer stored' }
  if (key === 'detection.failed' || key === 'server.internal') return { zh: `检测进程异常：${detail}`, en: detail }
  return { zh: detail, en: detail }
}
