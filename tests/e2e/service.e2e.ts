import type { Page } from '@playwright/test'
import { limitsFrom, type ServiceState, type ServiceUrgency } from '#domain/service-requests.ts'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test, travel } from './support/console.ts'

const HOUR = 3_600_000
const picture = async (page: Page, name: string) => {
  const folder = process.env['E2E_PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Older requests of the operator, so that the list is one to page and filter. */
const OLDER: [string, ServiceState, ServiceUrgency, number][] = [
  ['渠道 云享盘 连接器修复', 'waiting', 'normal', 17],
  ['发布前人工渗透，掌上银行 9.4.1', 'accepted', 'planned', 90],
  ['反模拟器误伤 x86 平板', 'solved', 'high', 120],
  ...Array.from({ length: 20 }, (_, n): [string, ServiceState, ServiceUrgency, number] => [
    `等保测评材料，第 ${n + 1} 份`,
    'closed',
    'normal',
    400 + n,
  ]),
]

async function fill(): Promise<void> {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('service_requests').execute()
  const { username: author } = ACCOUNTS.operator
  const { id: author_id } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', author)
    .executeTakeFirstOrThrow()
  for (const [subject, state, urgency, hours] of OLDER.toReversed()) {
    const at = Date.now() - hours * HOUR
    const isAnswered = state !== 'accepted'
    const { id } = await meta.db
      .insertInto('service_requests')
      .values({
        ...{ subject, kind: 'fault', urgency, state, application_id: null, task_id: null, author_id, author },
        ...{ handler: ACCOUNTS.admin.username, language: 'zh', created_at: at, updated_at: at + HOUR / 2 },
        ...limitsFrom(urgency, at),
        first_reply_at: isAnswered ? at + HOUR / 4 : null,
        waiting_since: state === 'waiting' ? at + HOUR / 2 : null,
        solved_at: state === 'solved' || state === 'closed' ? at + HOUR : null,
        closed_at: state === 'closed' ? at + 2 * HOUR : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const entry = { request_id: id, urgency: null, by_user: null }
    await meta.db
      .insertInto('service_entries')
      .values([
        {
          ...entry,
          at,
          author,
          side: 'requester',
          text: `${subject}，请协助。`,
          move: 'create',
          state: 'submitted',
          urgency,
        },
        ...(isAnswered
          ? [
              {
                ...{ ...entry, at: at + HOUR / 4, author: ACCOUNTS.admin.username, side: 'service' as const, state },
                ...{ text: '请把失败时的日志发来。', move: null },
              },
            ]
          : []),
      ])
      .execute()
  }
  await meta.close()
}

test('[SERV-01] a request is submitted with a file, answered, solved, confirmed and reopened by two people', async ({
  page,
  browser,
}) => {
  await fill()
  await signIn(page, 'operator', { at: '/service' })
  await expect(page.getByText('选择一个请求')).toBeVisible()
  await page.locator('body').press('n')
  const dialog = page.getByRole('dialog', { name: '新建请求' })
  await dialog.getByLabel('主题').fill('包已被加固，加固失败')
  // The knowledge base is asked while the subject is typed.
  await expect(dialog.getByRole('region', { name: '可能有用的文章' }).getByRole('link').first()).toBeVisible()
  await dialog.getByRole('button', { name: /紧急程度/ }).click()
  await page.getByRole('option', { name: '紧急', exact: true }).click()
  await expect(dialog.getByText('30 分 0 秒内首次回复').or(dialog.getByText('30 分内首次回复'))).toBeVisible()
  await dialog.getByLabel('情况说明').fill('4.2.1 没有这个问题。\n今晚 22:00 要发布。')
  const input = dialog.locator('input[type=file]')
  await input.setInputFiles({ name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
  await expect(notice(page, /不支持的附件类型/)).toBeVisible()
  await input.setInputFiles({ name: 'app.apk', mimeType: 'application/zip', buffer: Buffer.alloc(9 * 2 ** 20) })
  await expect(notice(page, '附件超过 8 MB')).toBeVisible()
  await input.setInputFiles({ name: 'harden.log', mimeType: 'text/plain', buffer: Buffer.from('Your app failed') })
  await expect(dialog.getByText('harden.log')).toBeVisible()
  await expectAccessible(page, 'the new request')
  await picture(page, 'service-new-1440')
  await dialog.getByRole('button', { name: '提交' }).click()
  await expect(notice(page, /SV-\d+ 已提交/)).toBeVisible()
  await expect(page).toHaveURL(/\/service\?id=\d+$/)
  const address = page.url().replace(/^.*?\/service/, '/service')
  const talk = page.getByRole('list', { name: '对话' })
  await expect(talk).toContainText('今晚 22:00 要发布。')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    talk.getByRole('link', { name: /harden\.log/ }).click(),
  ])
  expect(file.suggestedFilename()).toBe('harden.log')
  const [archive] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: '导出' }).click()])
  expect(archive.suggestedFilename()).toMatch(/^SV-\d+\.zip$/)
  await expect(page.getByRole('region', { name: '时限' })).toContainText('后到首次回复时限')

  const context = await browser.newContext()
  const admin = await context.newPage()
  await signIn(admin, 'admin', { at: address })
  await admin.getByRole('button', { name: '受理', exact: true }).click()
  await expect(admin.getByRole('button', { name: '受理', exact: true })).toBeHidden()
  await expect(admin.getByRole('button', { name: '请对方补充' })).toBeDisabled()
  await admin.getByLabel('写回复').fill('新的地图 SDK 是哪个版本？')
  await admin.getByRole('button', { name: '请对方补充' }).click()
  await expect(admin.getByRole('list', { name: '对话' })).toContainText('请提问方补充')

  await page.reload()
  await expect(page.getByText('等您补充').first()).toBeVisible()
  await expect(page.getByRole('region', { name: '时限' })).toContainText('计时暂停')
  await expectAccessible(page, 'a request that waits')
  await page.getByLabel('写回复').fill('6.1.3')
  await page.getByLabel('写回复').press('Control+Enter')
  await expect(talk).toContainText('已补充，继续处理')

  await admin.reload()
  await admin.getByLabel('写回复').fill('把它列入例外，其余照常加固。')
  await admin.getByRole('button', { name: '标为已解决' }).click()
  await expect(admin.getByRole('list', { name: '对话' })).toContainText('标为已解决，待确认')
  await page.reload()
  await expect(page.getByText('已解决，待您确认').first()).toBeVisible()
  await picture(page, 'service-1440')
  await page.getByRole('button', { name: '确认已解决' }).click()
  await expect(talk).toContainText('确认已解决，请求关闭')
  await expect(page.getByRole('button', { name: '重新打开' })).toBeDisabled()
  await page.getByLabel('写回复').fill('发布后又出现。')
  await page.getByRole('button', { name: '重新打开' }).click()
  await expect(talk).toContainText('重新打开')

  // Deletion takes the permission, and the name of the request.
  await expect(page.getByRole('button', { name: '更多操作' })).toHaveCount(0)
  await admin.reload()
  await admin.getByRole('button', { name: '更多操作' }).click()
  await admin.getByRole('menuitem', { name: '删除请求' }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: '删除请求' })).toBeDisabled()
  await question.getByRole('textbox').fill(`SV-${address.split('=')[1]}`)
  await question.getByRole('button', { name: '删除请求' }).click()
  await expect(notice(admin, '删除成功!')).toBeVisible()
  await context.close()
  await page.reload()
  await expect(page.getByText('没有这个请求，或您不能查看')).toBeVisible()
})

test('[SERV-01] the list is filtered and paged by its address and moved by keys, and a missed limit is shown', async ({
  page,
}) => {
  await fill()
  await signIn(page, 'operator', { at: '/service?view=all' })
  const list = page.getByRole('list', { name: '请求列表' })
  await expect(list.getByRole('listitem')).toHaveCount(20)
  await page.getByRole('button', { name: '下一页' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('radio', { name: /进行中/ }).click()
  // The page before had three too: the new list is there once its first one is.
  await expect(list.getByRole('listitem').first()).toContainText('连接器修复')
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await page.locator('body').press('j')
  await expect(list.locator('[aria-current=true]')).toContainText('连接器修复')
  await page.locator('body').press('j')
  await expect(page).toHaveURL(/id=\d+/)
  await expect(list.locator('[aria-current=true]')).toContainText('发布前人工渗透')
  await expect(page.getByRole('region', { name: '时限' })).toContainText('首次回复已超时')
  await expectAccessible(page, 'a request that is late')
})

test('[SERV-01] an account whose authorisation is over has the page and requests of its own alone', async ({
  page,
}) => {
  await fill()
  await signIn(page, 'unempowered', { at: '/service?view=all' })
  await expect(page.getByText('还没有服务请求')).toBeVisible()
  await expect(page.getByRole('region', { name: '7 × 24 小时' })).toContainText('平台没有设置服务电话和邮箱')
  await expectAccessible(page, 'the page without requests')
})

test('[SERV-01] the page is accessible in English and dark, and a list that cannot be read says so', async ({
  page,
}) => {
  await fill()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await signIn(page, 'operator', { at: '/service?view=all', language: 'en', theme: 'dark' })
  await page
    .getByRole('list')
    .getByRole('button', { name: /反模拟器/ })
    .click()
  await expectAccessible(page, 'the service page, dark')
  await picture(page, 'service-1920-dark-en')
  await page.setViewportSize({ width: 1366, height: 768 })
  await picture(page, 'service-1366-dark-en')
  await page.route('**/api/service/requests/**', (route) => route.abort())
  await travel(page, '/home')
  await page.route('**/api/service/request/**', (route) => route.abort())
  await travel(page, '/service?view=own')
  await expect(page.getByRole('alert').first()).toBeVisible()
})
