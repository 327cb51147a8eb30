import { ProductError } from '#contracts/errors.ts'
import { reportTemplate, saveReportTemplate } from '#contracts/http/reports/task-reports.ts'
import type { Module } from '../../http/module.ts'
import { drawLogo } from '../../platform/pictures/draw-logo.ts'
import { readTemplate, writeTemplate } from './report-template.ts'

/** How reports of this platform look: logo, issuer, foot, chapters. */
export const reportTemplateModule: Module = (mount, { meta }) => {
  mount(reportTemplate, async () => ({ data: await readTemplate(meta) }))

  mount(saveReportTemplate, async ({ body, audit }) => {
    const { logo, ...fields } = body
    audit('report template', JSON.stringify({ ...fields, logo: logo === undefined ? 'kept' : logo && 'new' }))
    const template = { ...(await readTemplate(meta)), ...fields }
    if (logo === null) template.logo = null
    else if (logo !== undefined) {
      const png = await drawLogo(Buffer.from(logo, 'base64'))
      if (!png) throw new ProductError('report.logo')
      template.logo = png.toString('base64')
    }
    await writeTemplate(meta, template)
    return { data: template }
  })
}
