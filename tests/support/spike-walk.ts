import { expect, type Page } from '@playwright/test'

/** Right end and foot of a time chart below its bars, px (GRID of src/shared/charts/time-chart.tsx). */
const [CHART_RIGHT, CHART_FOOT] = [12, 26]

/**
 * The walk of an analyst from a spike to a report: the running bar of attack analysis, the devices behind it, the busiest one, its
 * trace, a case, a report. `act` is called for each click, with what it does. Begins on attack analysis in Chinese.
 */
export async function walkFromSpike(page: Page, act: (what: string, click: () => Promise<void>) => Promise<void>) {
  const chart = page.getByRole('group', { name: /^攻击次数/ }).first()
  await expect(chart.locator('canvas')).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await act('the bar of the spike', () =>
    chart.click({ position: { x: box.width - CHART_RIGHT - 6, y: box.height - CHART_FOOT - 4 } }),
  )
  const rows = page.getByTestId('rows-actions')
  await act('its devices', () => rows.getByRole('link', { name: '设备' }).click())
  await expect(page).toHaveURL(/analyzer_system/)
  await act('the busiest device', () => page.getByRole('table').getByRole('link').first().click())
  await expect(page).toHaveURL(/user_check/)
  await act('its trace', () => page.getByRole('button', { name: '看轨迹' }).click())
  await expect(page.getByTestId('trail-total')).toBeVisible()
  await act('a case with it', () => page.getByRole('button', { name: '置顶此对象' }).click())
  await expect(page.getByText(/^已置顶到/).first()).toBeVisible()
  await act('the kinds of reports', () => page.getByRole('button', { name: '报告' }).first().click())
  await act('a PDF', () => page.getByRole('menuitem', { name: '生成 PDF 报告' }).click())
  await expect(page.getByText(/^报告已开始生成/).first()).toBeVisible()
}
