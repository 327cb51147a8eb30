import type { Block, ReportDocument } from './document.ts'
import type { ReportContext, ReportPart, ScanReportInput } from './report-context.ts'
import { contentBlocks, coverageBlocks, domainBlocks } from './report-coverage.ts'
import { dynamicBlocks } from './report-dynamic.ts'
import { basicBlocks, certificateBlocks, componentBlocks, permissionBlocks, sdkBlocks } from './report-facts.ts'
import { frontPage } from './report-front.ts'
import { detailBlocks, passedBlocks, riskTable } from './report-items.ts'
import { firstSteps, overviewBlocks } from './report-overview.ts'
import { privacyBlocks } from './report-privacy.ts'
import { wordsOf } from './report-texts.ts'

/** The report of one scan. Pure: the same input gives the same document. */
export function scanReport(input: ScanReportInput): ReportDocument {
  const { language, reader, result, issuer, logo, made } = input
  const words = wordsOf(language)
  const context: ReportContext = { ...input, words, textOf: (text) => text[language] }
  const { name, id, version } = result.package
  return {
    language,
    title: words(`title_${reader}`),
    subject: `${name || id} ${version}`.trim(),
    issuer,
    footer: input.footer,
    logo,
    made,
    front: frontPage(context),
    cover: [
      { label: words('application'), text: name || id },
      { label: words('package'), text: id },
      { label: words('version'), text: version },
      { label: words('date'), text: input.date },
      { label: words('operator'), text: input.operator },
      { label: words('strategy'), text: context.textOf(input.strategy) },
      {
        label: words('kinds'),
        text: result.kinds
          .map((kind) => context.textOf(input.kindNames[kind] ?? { zh: kind, en: kind }))
          .join(language === 'zh' ? '、' : ', '),
      },
      { label: words('rules'), text: `${result.rules.pack} ${result.rules.version}` },
    ],
    blocks: partsOf(input).flatMap((part) => part(context)),
  }
}

type Part = (context: ReportContext) => Block[]

const PARTS: Readonly<Record<ReportPart, Part>> = {
  first_steps: firstSteps,
  basic: basicBlocks,
  certificates: certificateBlocks,
  permissions: permissionBlocks,
  components: componentBlocks,
  sdks: sdkBlocks,
  risks: riskTable,
  details: detailBlocks,
  privacy: privacyBlocks,
  domains: domainBlocks,
  content: contentBlocks,
  passed: passedBlocks,
}
/** Order of the chapters: a regulator reads of personal information before the failed items. */
const ORDER = Object.keys(PARTS) as ReportPart[]
const PRIVACY_FIRST = ORDER.filter((part) => part !== 'privacy').flatMap((part): ReportPart[] =>
  part === 'risks' ? ['privacy', part] : [part],
)

/** The verdict first, then what was seen on a phone, and what was not looked at last, whatever else was chosen. */
function partsOf({ reader, parts }: Pick<ScanReportInput, 'reader' | 'parts'>): Part[] {
  const order = reader === 'regulator' ? PRIVACY_FIRST : ORDER
  return [
    overviewBlocks,
    dynamicBlocks,
    ...order.filter((part) => parts.includes(part)).map((part) => PARTS[part]),
    coverageBlocks,
  ]
}
