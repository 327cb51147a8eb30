import { readFileSync } from 'node:fs'
import { auditLog, deleteLogs } from '#contracts/http/audit-log.ts'
import { openMeta } from './support/accounts.ts'
import { ACCOUNTS, expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { packagesOf } from './support/packages.ts'

const DAY_MS = 86_400_000
const LOGS = '/platform/logs'
const SUBJECT = ACCOUNTS.keeper.username

test.describe
  .serial('log management', () => {
    test('[LOG-01] who changes a user finds the entry with the values before and after', async ({ page }, {
      retry,
    }) => {
      // A retry changes something again.
      const remark = `零售条线，负责发布前检测 ${retry}`
      await signIn(page, 'admin', { at: `/platform/usermanage?find=${encodeURIComponent(SUBJECT)}` })
      await page.getByRole('row').filter({ hasText: SUBJECT }).click()
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: '可建应用数' }).fill(String(7 + retry))
      await form.getByRole('textbox', { name: '备注' }).fill(remark)
      await form.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await page.goto(LOGS)
      const row = page.getByRole('row').filter({ hasText: '修改用户' }).filter({ hasText: SUBJECT }).first()
      await expect(row).toContainText('管理员')
      await expect(row).toContainText('成功')
      await row.click()
      const entry = page.getByRole('dialog', { name: /修改用户/ })
      await expect(entry.getByText('2 个字段')).toBeVisible()
      await expect(entry.getByText(remark)).toBeVisible()
      await expect(entry.getByText('可建应用数')).toBeVisible()
      await expect(entry.getByText('哈希一致')).toBeVisible()
      await expectAccessible(page, 'audit trail with an open entry')
      // The address opens the same entry; the arrows lead through the list, Escape closes.
      const address = page.url()
      expect(address).toMatch(/[?&]entry=\d+/)
      await page.goto(address)
      await expect(entry.getByText(remark)).toBeVisible()
      await entry.getByRole('button', { name: '前一条' }).click()
      await expect(entry).toBeHidden()
      await expect(page).not.toHaveURL(address)
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/entry=/)
    })

    test('[LOG-01] filters narrow the list and survive a reload; the keyboard opens rows', async ({ page }) => {
      await signIn(page, 'admin', { at: LOGS })
      await page.getByRole('button', { name: '操作 全部' }).click()
      // English words find an action too.
      await page.getByRole('textbox', { name: '输入以查找' }).fill('change user')
      await page.getByRole('button', { name: '修改用户' }).click()
      await expect(page).toHaveURL(/action=changeUser/)
      const answered = page.waitForResponse(
        (answer) => /audit[/][?].*action=changeUser/.test(answer.url()) && /search=/.test(answer.url()),
      )
      await page.getByRole('searchbox', { name: '账号、操作、对象、说明' }).fill(SUBJECT)
      await answered
      await expect(page).toHaveURL(/action=changeUser.*find=/)
      await expect(page.getByTestId('log-count')).toHaveText(/共 \d+ 条/)
      const rows = page.getByRole('table', { name: '审计日志' }).locator('tbody tr')
      await expect(rows.first()).toContainText(SUBJECT)
      const count = await rows.count()
      await page.reload()
      await expect(rows).toHaveCount(count)
      await expect(page.getByRole('searchbox', { name: '账号、操作、对象、说明' })).toHaveValue(SUBJECT)
      await page.keyboard.press('j')
      await expect(rows.first()).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: /修改用户/ })).toBeVisible()
      await page.getByRole('searchbox', { name: '账号、操作、对象、说明' }).fill('nothing is called so')
      await expect(page.getByText('没有符合条件的记录')).toBeVisible()
      await page.getByRole('button', { name: '清除筛选' }).first().click()
      await expect(page).not.toHaveURL(/find=|action=|entry=/)
      await expect(rows.first()).toBeVisible()
    })

    test('[LOG-01] a download holds what the filters leave, with the hash of every entry', async ({ page }) => {
      await signIn(page, 'admin', { at: `${LOGS}?action=changeUser` })
      await page.getByRole('button', { name: '下载' }).click()
      await page.getByRole('menuitem', { name: /CSV/ }).click()
      const ready = page.getByRole('button', { name: '下载' }).last()
      await expect(notice(page, '审计日志 已导出')).toBeVisible()
      const [download] = await Promise.all([page.waitForEvent('download'), ready.click()])
      const [head, first] = readFileSync(await download.path(), 'utf8').split('\n')
      expect(head).toContain('哈希（SM3）')
      expect(first).toContain('changeUser')
      expect(first).toMatch(/[0-9a-f]{64}/)
    })

    test('[LOG-01] the network log is filtered by kind; a cell narrows to its value', async ({ page }) => {
      await signIn(page, 'admin', { at: `${LOGS}?tab=network&kind=signin` })
      const rows = page.getByRole('table', { name: '网络日志' }).locator('tbody tr')
      await expect(rows.first()).toContainText('登录')
      await rows.getByRole('button', { name: ACCOUNTS.admin.username }).first().click()
      await expect(page).toHaveURL(/account=admin/)
      await expect(rows.first()).toContainText(ACCOUNTS.admin.username)
      await expectAccessible(page, 'network log')
    })

    test('[LOG-01] an output is created, tested and deleted; its signing secret is shown once', async ({ page }) => {
      await signIn(page, 'admin', { at: `${LOGS}?tab=outputs` })
      await expect(page.getByText('还没有日志输出')).toBeVisible()
      await expectAccessible(page, 'no outputs')
      await page.getByRole('button', { name: '新建输出' }).first().click()
      await page.getByRole('radio', { name: 'Webhook' }).click()
      await page.getByRole('textbox', { name: '名称' }).fill('安全运营中心')
      // Nothing listens there: what cannot be delivered waits.
      await page.getByRole('textbox', { name: '地址' }).fill('https://logs.example.com/in')
      await page.getByRole('button', { name: '保存' }).click()
      await expect(page.getByTestId('new-secret')).toContainText('aw_wh_')
      await page.getByRole('button', { name: '完成' }).click()
      const row = page.getByRole('row').filter({ hasText: '安全运营中心' })
      await expect(row).toContainText('https://logs.example.com/in')
      await row.getByRole('button', { name: '测试' }).click()
      await expect(notice(page, '测试消息没有送达')).toBeVisible()
      await row.getByRole('button', { name: /^删除/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await row.getByRole('button', { name: /^删除/ }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(page.getByText('还没有日志输出')).toBeVisible()
    })

    test('[LOG-01] the auditor verifies the chain, reads its checkpoints and deletes only what is older than 184 days', async ({
      page,
    }) => {
      const meta = await openMeta(process.env['E2E_DATA'] as string)
      const at = Date.now() - 200 * DAY_MS
      const line = { kind: 'console', account: SUBJECT, application_id: null, address: '10.0.0.9', method: 'GET' }
      const answer = { path: '/api/old/', status: 200, code: 0, size: 0, milliseconds: 1 }
      await meta.db
        .insertInto('network_log')
        .values([0, 1, 2].map((step) => ({ at: at + step, ...line, ...answer })))
        .execute()
      await meta.close()
      await signIn(page, 'auditor', { at: LOGS })
      await page.getByRole('button', { name: '核验审计链' }).click()
      await expect(notice(page, /审计链完整，共核验/)).toBeVisible()
      await expect(page.getByText(`${ACCOUNTS.auditor.username} 于`)).toBeVisible()
      await page.getByRole('button', { name: '检查点与公钥' }).click()
      await expect(page.getByText('openssl dgst -sm3')).toBeVisible()
      await expectAccessible(page, 'checkpoints')
      await page.getByRole('dialog').getByRole('button', { name: '关闭' }).click()

      await page.getByRole('tab', { name: '网络日志' }).click()
      await expect(page.getByText(/184 天内的不能删除，可删 3 条更早的/)).toBeVisible()
      await page.getByRole('button', { name: '删除…' }).click()
      const question = page.getByRole('alertdialog')
      await expect(question.getByText('将删除 3 条')).toBeVisible()
      await expectAccessible(page, 'deletion')
      const day = question.getByLabel('删除这一天之前的记录')
      await day.fill(new Date(Date.now() - 100 * DAY_MS).toISOString().slice(0, 10))
      await expect(question.getByText(/不能晚于/)).toBeVisible()
      await expect(question.getByRole('button', { name: /^删除 / })).toBeDisabled()
      await question.getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await page.getByRole('button', { name: '删除…' }).click()
      await question.getByRole('button', { name: '删除 3 条' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(page.getByText('184 天内的不能删除，没有更早的记录')).toBeVisible()
      // Outputs are to be read only.
      await page.getByRole('tab', { name: '日志输出' }).click()
      await expect(page.getByText('还没有日志输出')).toBeVisible()
      await expect(page.getByRole('button', { name: '新建输出' })).toBeHidden()
    })

    test('[LOG-01] an administrator has no button that deletes logs, and the server refuses it', async ({ page }) => {
      await signIn(page, 'admin', { at: LOGS })
      await expect(page.getByRole('button', { name: '下载' })).toBeVisible()
      await expect(page.getByRole('button', { name: '删除…' })).toBeHidden()
      const { api } = packagesOf('admin', ['all'])
      const before = Date.now() - 300 * DAY_MS
      await expect(api(deleteLogs, { body: { log: 'audit', before } })).rejects.toThrow(/403/)
      const { data } = await api(auditLog, { query: { action: 'deleteLogs', result: 'refused', limit: 50 } })
      expect(data[0]?.result_name).toEqual({ zh: '没有权限', en: 'Permission missing' })
    })
  })
