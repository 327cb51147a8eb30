import { PERSONAL_INFORMATION } from '../catalogue/permission-data.ts'
import { sdkById } from '../catalogue/sdk-signatures.ts'
import { deniesInformation, namesInformation, namesSdk, type PolicyText } from '../content/policy-text.ts'
import { findCollected } from '../permissions/find-collected.ts'
import { accessLocations } from './make-chains.ts'
import {
  type Answer,
  type Check,
  fail,
  locationChain,
  manual,
  notApplicable,
  notAssessed,
  type PrivacyContext,
  pass,
} from './privacy-context.ts'
import type { TextMark } from './text-marks.ts'

const NO_POLICY = notAssessed(
  '没有隐私政策文本：请上传，或在包内提供，再行检测',
  'there is no policy text: upload it, or ship it in the package, and detect again',
)
const NAMES_LIMIT = 12

/** Checks that ask what the application shows and what its policy says. */
export const TEXT_CHECKS: Readonly<Record<string, Check>> = {
  'm1-1': (context) => {
    const { policy, marks } = context
    if (policy) {
      const lacks = !/收集|collect/i.test(policy.text) || !/目的|用于|purpose/i.test(policy.text)
      return lacks
        ? fail('隐私政策没有写明收集使用规则', 'the policy states no rules for collection and use')
        : pass('有隐私政策，且写明收集与使用', 'there is a policy that states collection and use')
    }
    const location = marks.get('policyUrl') ?? marks.get('policyLabel')
    if (marks.has('policyLabel') && marks.has('policyUrl'))
      return {
        ...pass('有隐私政策入口和地址', 'there is a way to the policy and its address'),
        chains: [locationChain(location!, null)],
      }
    if (location || context.hiddenTexts || context.inspected.ios)
      return manual(
        '静态未能确定隐私政策入口，须人工确认',
        'the way to the policy could not be decided from the package; a person must confirm',
      )
    if (!context.inspected.codeGap && !findCollected({ ...context, accesses: () => context.accesses }))
      return notApplicable('未发现收集个人信息', 'no collection of personal information was found')
    return fail(
      '资源、代码和资产中没有隐私政策的文字或地址',
      'neither resources nor code nor assets hold a word or an address of a policy',
    )
  },
  'm1-4': policy((text) => {
    const letters = text.text.match(/\p{L}/gu)?.length ?? 0
    const chinese = text.text.match(/\p{Script=Han}/gu)?.length ?? 0
    if (letters === 0 || chinese / letters < 0.3)
      return fail('隐私政策不是简体中文', 'the policy is not in simplified Chinese')
    const small = text.html && /font-size:\s*(?:[1-9]|1[01])(?:\.\d+)?px/i.exec(text.html)
    return small
      ? fail(`字号过小：${small[0]}`, `the letters are too small: ${small[0]}`)
      : pass('有简体中文文本，未见过小字号', 'it is in simplified Chinese and its letters are not too small')
  }),
  'm2-1': (context) => {
    const kinds = collected(context)
    const sdks = collectingSdks(context)
    if (!context.policy)
      return notAssessed(
        `代码收集 ${kinds.length} 类信息，含 ${sdks.length} 个收集信息的 SDK；没有政策文本可比对`,
        `code collects ${kinds.length} kinds of information and ${sdks.length} collecting SDKs are there; no policy text to compare with`,
      )
    return undisclosed(context, kinds, sdks)
  },
  'm2-2': says(
    /更新日期|生效日期|发布日期|last updated|effective date/i,
    /(?:变更|更新|修订)[^。]{0,40}(?:通知|公告|弹窗|提示)|notify you of (?:any )?changes?/i,
    '更新日期和变更通知',
    'a date and how changes are seen',
  ),
  'm2-4': policy(({ text }) => {
    const sentences = text.split(/[。；！？.!?]/).filter((one) => one.trim().length > 1)
    const average = sentences.length ? text.length / sentences.length : text.length
    if (text.length > 20_000 && !/摘要|概要|简明|summary/i.test(text))
      return fail(`长达 ${text.length} 字且没有摘要`, `${text.length} characters without a summary`)
    return average > 120
      ? fail(`平均每句 ${Math.round(average)} 字`, `${Math.round(average)} characters a sentence`)
      : pass('篇幅和句长适中', 'length and sentences are moderate')
  }),
  'm3-3': (context) => (context.policy ? undisclosed(context, collected(context), []) : NO_POLICY),
  'm3-6': personalised,
  't164-4': personalised,
  'g-6': personalised,
  'm3-8': shows('withdraw', '撤回同意的入口', 'a way to withdraw consent'),
  'm3-9': (context) => {
    if (!context.policy) return NO_POLICY
    const denied = collected(context).filter((info) => deniesInformation(context.policy!, info))
    return denied.length
      ? fail(
          `政策称不收集，代码却收集：${zh(denied)}`,
          `the policy denies what code collects: ${en(denied)}`,
          locationsOf(context, denied),
        )
      : pass('代码收集的信息没有被政策否认', 'the policy denies nothing that code collects')
  },
  'm4-5': policy(({ text }) =>
    /(?:改善|提升|优化)[^。]{0,20}(?:体验|服务|质量)/.test(text) &&
    !/(?:登录|注册|支付|定位|导航|下单|实名|安全)/.test(text)
      ? fail('收集目的只有改善体验', 'the only purpose named is a better experience')
      : pass('收集目的不止改善体验', 'purposes go beyond a better experience'),
  ),
  'm6-1': cancellation,
  'g-7': cancellation,
  'm6-3': policy(({ text }) => {
    const days =
      /(\d{1,3}|[一二三]?十[一二三四五]?)\s*个?(?:工作日|天|日)[^。]{0,40}(?:答复|回复|响应|处理|处置|反馈)|(?:答复|回复|响应|处理)[^。]{0,40}?(\d{1,3})\s*个?(?:工作日|天|日)/.exec(
        text,
      )
    const number = Number(days?.[1] ?? days?.[2])
    if (!days) return fail('政策没有承诺响应时限', 'the policy promises no time to answer')
    return number > 15
      ? fail(`承诺时限 ${number} 日，超过 15 个工作日`, `it promises ${number} days, more than 15 working days`)
      : pass('承诺时限不超过 15 个工作日', 'it promises at most 15 working days')
  }),
  'm6-5': complaint,
  'u26-8': complaint,
  'u26-4': (context) => {
    if (context.marks.has('collectedList') && context.marks.has('sharedList'))
      return pass('双清单均有入口', 'both lists have an entry')
    const missing = context.marks.has('collectedList')
      ? '第三方共享清单'
      : context.marks.has('sharedList')
        ? '已收集个人信息清单'
        : '双清单'
    return context.hiddenTexts || context.inspected.ios
      ? manual('界面文字不在包内，须人工确认', 'the words of the screens are not in the package; a person must confirm')
      : fail(`没有找到${missing}的入口`, 'one or both of the two lists have no entry in the application')
  },
  't164-3': (context) => (context.policy ? undisclosed(context, [], collectingSdks(context)) : NO_POLICY),
  'g-2': says(
    /基本(?:业务)?功能|core function/i,
    /扩展(?:业务)?功能|附加(?:业务)?功能|additional function/i,
    '基本与扩展业务功能',
    'core and extended functions',
  ),
  'g-3': says(/(?:保存|存储|保留)(?:期限|时间|期间)|retention/i, null, '保存期限', 'how long data is kept'),
  'g-10': says(
    /个人信息保护负责人|(?:联系我们|联系方式|邮箱|@|电话)|contact us/i,
    null,
    '负责人或联系方式',
    'a responsible person or a contact',
  ),
  'g-12': says(/未成年人|儿童|14\s*(?:周)?岁|children|minor/i, null, '未成年人条款', 'rules for minors'),
}

function policy(check: (policy: PolicyText) => Answer): Check {
  return (context) => (context.policy ? check(context.policy) : NO_POLICY)
}

function says(first: RegExp, second: RegExp | null, what: string, whatEn: string): Check {
  return policy(({ text }) =>
    first.test(text) && (second?.test(text) ?? true)
      ? pass(`政策写明${what}`, `the policy states ${whatEn}`)
      : fail(`政策没有写明${what}`, `the policy does not state ${whatEn}`),
  )
}

function shows(mark: TextMark, what: string, whatEn: string): Check {
  return (context) => {
    const location = context.marks.get(mark)
    if (location) return { ...pass(`找到${what}`, `there is ${whatEn}`), chains: [locationChain(location, null)] }
    return context.hiddenTexts || context.inspected.ios
      ? manual('界面文字不在包内，须人工确认', 'the words of the screens are not in the package; a person must confirm')
      : fail(`没有找到${what}`, `there is no sign of ${whatEn}`)
  }
}

function personalised(context: PrivacyContext): Answer {
  const ads = context.sdks.filter(({ category }) => category === 'ads' || category === 'attribution')
  if (!ads.length) return notApplicable('没有广告或推荐 SDK', 'there is no advertising or recommending SDK')
  return shows(
    'personalised',
    `关闭个性化的选项（含 ${ads.length} 个广告 SDK）`,
    `a switch for personalised content (${ads.length} advertising SDKs)`,
  )(context)
}

function cancellation(context: PrivacyContext): Answer {
  // Google's sign-in comes along with other parts of Google's services.
  const sdk = context.sdks.some(
    ({ category, state, id }) => category === 'login_auth' && state === 'called' && id !== 'google-signin',
  )
  const login = sdk || context.marks.has('login')
  if (!login) return notApplicable('没有发现账号体系', 'no account system was found')
  return shows('cancelAccount', '账号注销的入口', 'a way to cancel the account')(context)
}

function complaint(context: PrivacyContext): Answer {
  if (
    context.policy &&
    /\d{3,4}-\d{7,8}|1\d{10}|400-?\d{3}-?\d{4}|[\w.-]{1,64}@[\w-]{1,63}\.\w/.test(context.policy.text)
  )
    return pass('政策中有电话或邮箱', 'the policy has a telephone number or an address')
  return shows('complaint', '投诉举报渠道', 'a complaint channel')(context)
}

/** Kinds of information that code collects, those of the usual device facts left out. */
function collected(context: PrivacyContext): string[] {
  return [...new Set(context.accesses.map(({ info }) => info))].sort()
}

function collectingSdks(context: PrivacyContext) {
  return context.sdks.filter(({ personalInfo, confidence }) => personalInfo.length > 0 && confidence !== 'low')
}

function undisclosed(
  context: PrivacyContext,
  kinds: readonly string[],
  sdks: ReturnType<typeof collectingSdks>,
): Answer {
  const text = context.policy!
  const missing = kinds.filter((info) => !namesInformation(text, info))
  const silent = sdks.filter(({ id, name, vendor }) => {
    const packages = (sdkById(id)?.packages ?? []).map((one) => one.replace(/\.$/, ''))
    return !namesSdk(text, { names: [name.zh, name.en, vendor, ...packages] })
  })
  if (!missing.length && !silent.length)
    return pass('代码收集的信息和 SDK 在政策中都有说明', 'the policy names all collected information and SDKs')
  const names = silent.slice(0, NAMES_LIMIT)
  const more = silent.length > names.length ? ' …' : ''
  return fail(
    [
      missing.length && `政策未写明：${zh(missing)}`,
      silent.length && `未列出的 SDK（${silent.length}）：${names.map(({ name }) => name.zh).join('、')}${more}`,
    ]
      .filter(Boolean)
      .join('；'),
    [
      missing.length && `not in the policy: ${en(missing)}`,
      silent.length && `SDKs not listed (${silent.length}): ${names.map(({ name }) => name.en).join(', ')}${more}`,
    ]
      .filter(Boolean)
      .join('; '),
    [
      ...locationsOf(context, missing),
      ...silent.slice(0, 20).flatMap(({ id, evidence }) => (evidence[0] ? [locationChain(evidence[0], id)] : [])),
    ],
  )
}

function locationsOf(context: PrivacyContext, kinds: readonly string[]) {
  const { program } = context.inspected
  return program
    ? accessLocations(
        program,
        context.accesses.filter(({ info }) => kinds.includes(info)),
      )
    : []
}

const zh = (kinds: readonly string[]): string =>
  kinds.map((info) => PERSONAL_INFORMATION.get(info)?.zh ?? info).join('、')
const en = (kinds: readonly string[]): string =>
  kinds.map((info) => PERSONAL_INFORMATION.get(info)?.en ?? info).join(', ')
