import type { ReportDocument } from '#engines/report/document.ts'
import type { ServerDeps } from '../../http/module.ts'
import { readLogo } from '../../platform/platform-info/own-logo.ts'
import { platformName } from '../../platform/platform-info/own-texts.ts'
import { readTemplate } from './report-template.ts'

/** What every document has beside its contents: language, issuer, footer, logo (of the reports, or that of the platform), and when it is made. */
export async function reportFrame(
  { meta, settings, now }: Pick<ServerDeps, 'meta' | 'settings' | 'now'>,
  language: 'zh' | 'en',
): Promise<Pick<ReportDocument, 'language' | 'issuer' | 'footer' | 'logo' | 'made'>> {
  const { footer, issuer, logo } = await readTemplate(meta)
  return {
    ...{ language, footer, made: now(), issuer: issuer || platformName(settings(), language) },
    logo: logo !== null ? Buffer.from(logo, 'base64') : ((await readLogo(meta))?.png ?? null),
  }
}
