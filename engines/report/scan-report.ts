import type { Block, ReportDocument } from './document.ts'
import type { ReportContext, ReportReader, ScanReportInput } from './report-context.ts'
import { contentBlocks, coverageBlocks, domainBlocks } from './report-coverage.ts'
import { basicBlocks, certificateBlocks, componentBlocks, permissionBlocks, sdkBlocks } from './report-facts.ts'
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
    logo,
    made,
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
    blocks: PARTS[reader].flatMap((part) => part(context)),
  }
}

type Part = (context: ReportContext) => Block[]

const PARTS: Readonly<Record<ReportReader, readonly Part[]>> = {
  manager: [overviewBlocks, firstSteps, riskTable, coverageBlocks],
  developer: [
    overviewBlocks,
    basicBlocks,
    certificateBlocks,
    permissionBlocks,
    componentBlocks,
    sdkBlocks,
    riskTable,
    detailBlocks,
    privacyBlocks,
    domainBlocks,
    contentBlocks,
    passedBlocks,
    coverageBlocks,
  ],
  regulator: [
    overviewBlocks,
    basicBlocks,
    certificateBlocks,
    permissionBlocks,
    sdkBlocks,
    privacyBlocks,
    riskTable,
    detailBlocks,
    coverageBlocks,
  ],
}
