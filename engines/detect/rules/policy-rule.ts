import { PERSONAL_INFORMATION } from '../catalogue/permission-data.ts'
import { type Collected, findCollected } from '../permissions/find-collected.ts'
import type { Text } from '../result/scan-result.ts'
import { wholeHit } from './hits.ts'
import { notApplicable, notAssessed, type Rule, text } from './rule.ts'

const POLICY =
  /[隐隱]私(?:政策|协议|協議|权政策|權政策|条款|條款|声明|聲明|保护|保護)|プライバシー(?:ポリシー|・ポリシー|規約|通知)|개인\s*정보\s*(?:처리|취급|보호)|pol[ií]ticas?\s+de\s+privacidade?|aviso\s+de\s+privacidad|(?:politique|charte)\s+de\s+confidentialit[eé]|datenschutz|informativa\s+(?:sulla|sulle|per la)\s+privacy|политик\S*\s+(?:\S+\s+)?конфиденциальност|gizlilik\s+(?:politikas|sözleşme|bildirim)|kebijakan\s+privasi|chính\s+sách\s+(?:bảo\s+mật|quyền\s+riêng\s+tư)|سياسة\s+الخصوصية|privacy\s*(?:policy|statement|notice)|privacy[_-]policy|(?:policies\.google|www\.termsfeed)\.com\/privacy/i

/** A policy is a duty of who collects personal information, and only of them. */
export const policyRule: Rule = {
  needs: ['manifest'],
  check: (context) => {
    if (context.texts.pieces.some(({ text: piece }) => POLICY.test(piece))) return []
    if (context.packer)
      return notAssessed(
        `加固应用（${context.packer.zh}）需人工复核`,
        `the package is packed (${context.packer.en}): a person must look`,
      )
    if (!context.facts?.components.some(({ kind }) => kind === 'activity'))
      return notApplicable('没有界面', 'there are no screens')
    const collected = findCollected({ ...context, inspected: context })
    if (!collected)
      return context.codeGap
        ? notAssessed(context.codeGap.zh, context.codeGap.en)
        : notApplicable('未发现收集个人信息', 'no collection of personal information was found')
    return [wholeHit(context, 'no policy', missing(collected))]
  },
}

const MOST_NAMES = 6

function missing({ kinds, sdks, form }: Collected): Text {
  const names = kinds.map((info) => {
    const name = PERSONAL_INFORMATION.get(info) ?? text(info, info)
    return info === 'account' && form ? text(`${name.zh}（${form} 的表单）`, `${name.en} (the form of ${form})`) : name
  })
  const all = [...names, ...sdks.map(({ name }) => name)]
  const shown = all.slice(0, MOST_NAMES)
  const more = all.length - shown.length
  return text(
    `资源、代码与文件中均未提及隐私政策，而应用收集：${shown.map(({ zh }) => zh).join('、')}${more > 0 ? ` 等 ${all.length} 项` : ''}`,
    `neither resources, code nor files name a privacy policy, and the application collects ${shown.map(({ en }) => en).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  )
}
