import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { madeKeyStore, STORE_PASSWORD } from '../support/made-key-store.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const KEY_PASSWORD = 'key secret'
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

test('[HARD-03] a signature file is uploaded, its wrong passwords are named at their fields, it is checked and deleted', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/reinforce/signatures' })
  await expect(page.getByText('还没有签名文件')).toBeVisible()
  await page.getByRole('button', { name: '上传签名文件' }).first().click()
  const dialog = page.getByRole('dialog', { name: '上传签名文件' })
  await choose(page, 'notes.txt', Buffer.from('no key store'))
  await expect(dialog.getByRole('alert')).toContainText('不是签名文件')
  const { bytes, certificate } = madeKeyStore('jks', { alias: 'release', now: Date.now(), keyPassword: KEY_PASSWORD })
  await choose(page, 'release-2026.jks', bytes)
  await expect(dialog.getByLabel('别名')).toHaveValue('release')
  await expect(dialog.getByLabel('名称')).toHaveValue('release-2026')
  await dialog.getByRole('button', { name: '核对并保存' }).click()
  await expect(dialog.getByText('此项为必填项')).toHaveCount(2)
  await dialog.getByLabel('文件口令').fill(STORE_PASSWORD)
  await dialog.getByLabel('私钥完整性口令').fill('wrong')
  await dialog.getByRole('button', { name: '核对并保存' }).click()
  await expect(dialog.getByText('私钥完整性口令不对，还可以试 4 次')).toBeVisible()
  await expectAccessible(page, 'a signature file being uploaded')
  await dialog.getByLabel('私钥完整性口令').fill(KEY_PASSWORD)
  await dialog.getByRole('button', { name: '核对并保存' }).click()
  await expect(notice(page, '核对通过，已加密保存')).toBeVisible()
  await expect(page.getByText(certificate.fingerprints.sha256).first()).toBeVisible()
  await page.getByRole('button', { name: '重新核对' }).click()
  await expect(notice(page, '口令和私钥都能打开')).toBeVisible()
  await expectAccessible(page, 'a signature file')
  await page.getByRole('button', { name: '删除', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('textbox').fill('release-2026')
  await question.getByRole('button', { name: '删除' }).click()
  await expect(notice(page, '删除成功!')).toBeVisible()
  await expect(page.getByText('还没有签名文件')).toBeVisible()
})

test('[HARD-01] a policy begins with a template, says what it lacks, is saved, exported, imported and deleted', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/reinforce/policies' })
  await page.getByRole('button', { name: '新建策略' }).first().click()
  const dialog = page.getByRole('dialog', { name: '新建策略' })
  await dialog.getByRole('button', { name: '新建策略' }).click()
  await expect(dialog.getByText('此项为必填项')).toBeVisible()
  await dialog.getByRole('textbox', { name: '名称' }).fill('发布级')
  await dialog.getByRole('button', { name: '新建策略' }).click()
  await expect(page.getByRole('heading', { name: '发布级' })).toBeVisible()
  await expect(page.getByText('这个版本的加固引擎执行 28 个选项中的')).toBeVisible()

  const save = page.getByRole('button', { name: '保存为 v2' })
  await expect(save).toBeDisabled()
  await page.getByText('风控壳', { exact: true }).scrollIntoViewIfNeeded()
  await page.locator('#option-risk_control').locator('label').first().click()
  await expect(page.getByText('此项为必填项').first()).toBeVisible()
  await expect(save).toBeDisabled()
  await expectAccessible(page, 'a reinforcement policy')
  const server = page.getByRole('textbox', { name: '接口服务器地址' })
  await server.fill('console.example.com')
  await expect(page.getByText('请输入正确的接口服务器地址（http 或 https）').first()).toBeVisible()
  await server.fill('https://console.example.com')
  await save.click()
  await expect(notice(page, '已保存为 v2')).toBeVisible()

  // Somebody else saves it: the person decides what stays, and nothing is saved before.
  await server.fill('https://other.example.com')
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.updateTable('reinforce_policies').set({ rev: 3 }).where('name', '=', '发布级').execute()
  await page.getByRole('button', { name: '保存为 v3' }).click()
  const outdated = page.getByText('编辑期间，其他人已保存了新的内容')
  await expect(outdated).toBeVisible()
  await expect(page.getByRole('button', { name: '保存为 v4' })).toBeDisabled()
  await expect(server).toHaveValue('https://other.example.com')
  await page.getByRole('button', { name: '放弃我填写的内容' }).click()
  await expect(outdated).toHaveCount(0)
  await expect(server).toHaveValue('https://console.example.com')
  const stored = await meta.db.selectFrom('reinforce_policies').select('rev').where('name', '=', '发布级').execute()
  expect(stored).toEqual([{ rev: 3 }])
  await meta.close()

  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: '导出' }).click()
  const file = readFileSync(await (await waiting).path())
  expect(JSON.parse(file.toString('utf8'))).toMatchObject({
    format: 'appwarden.reinforce-policy',
    version: 1,
    name: '发布级',
    industry: 'financial_lending',
    options: { risk_control: { on: true, server: 'https://console.example.com' } },
  })
  await page.getByRole('button', { name: '全部策略' }).click()
  // The editor has a file field too.
  await expect(page.getByRole('button', { name: '新建策略' })).toBeVisible()
  await choose(page, 'policy.json', Buffer.from('{"format":"x"}'))
  await expect(notice(page, '策略文件有误：不是加固策略')).toBeVisible()
  await choose(page, 'policy.json', file)
  await expect(notice(page, '已导入 发布级')).toBeVisible()
  await page.getByRole('button', { name: '全部策略' }).click()
  await expect(page.getByRole('row').filter({ hasText: '发布级' })).toHaveCount(2)
  await expectAccessible(page, 'reinforcement policies')
  for (const left of [1, 0]) {
    await page.getByRole('button', { name: '发布级 的操作' }).first().click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await expect(page.getByRole('row').filter({ hasText: '发布级' })).toHaveCount(left)
  }
})
