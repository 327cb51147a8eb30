import type { Page } from '@playwright/test'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

async function createApplication(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^切换应用/ }).click()
  await page.getByRole('dialog', { name: '应用列表' }).getByRole('button', { name: '新建应用' }).click()
  const dialog = page.getByRole('dialog', { name: '新建应用' })
  await dialog.getByRole('textbox', { name: '应用名称' }).fill(name)
  await dialog.getByText('Android', { exact: true }).click()
  await dialog.getByRole('button', { name: '创建', exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('[COMM-02] a key is made, tried out in the browser, replaced and closed', async ({ page }) => {
  await signIn(page, 'operator')
  await createApplication(page, 'Sealed wallet')
  await page.goto('/protect/communication')
  await page.getByRole('button', { name: '新建密钥' }).first().click()
  const dialog = page.getByRole('dialog', { name: '新建密钥' })
  await dialog.getByRole('textbox', { name: '有效天数' }).fill('100')
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(notice(page, /已新建密钥 k-\d{4}/)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Sealed wallet' })
  await expect(row.getByText('使用中')).toBeVisible()

  await page.goto('/protect/component')
  await expect(page.getByTestId('which-gateway')).toContainText('控制台在本机启动了同一份网关代码')
  await page.getByRole('button', { name: '开始测试' }).click()
  const broken = page.getByRole('region', { name: '故意弄坏' })
  await expect(broken.getByRole('row')).toHaveCount(7, { timeout: 30_000 })
  await expect(broken.getByText('拒绝', { exact: true })).toHaveCount(6)
  await expect(broken.getByText('重放，序号已用过')).toBeVisible()
  for (const stage of ['handshake', 'open', 'claim', 'upstream', 'seal'])
    await expect(page.locator(`[data-stage="${stage}"]`)).toBeVisible()
  await expectAccessible(page, 'the security component')

  await page.goto('/protect/communication')
  await row.getByRole('button', { name: /的操作$/ }).click()
  await page.getByRole('menuitem', { name: '轮换' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '轮换' }).click()
  await expect(page.getByTestId('rotation-left')).toContainText('可以停收')
  await expectAccessible(page, 'communication protection')
  await page.getByRole('button', { name: '现在停收…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '停收' }).click()
  await expect(notice(page, /已停收/)).toBeVisible()
  await expect(page.getByTestId('rotation-left')).toHaveCount(0)
})
