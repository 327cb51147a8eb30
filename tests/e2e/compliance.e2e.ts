import { expect, expectAccessible, notice, signIn, test, travel } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const WORDS = '/detection/sensitive_words'
const CHECK = '/detection/self_check'
let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '自检样例')
})
test.afterAll(() => sender.remove())

test('[DET-07] [DET-10] a list of words is made, filled, imported into, tried and deleted', async ({ page }) => {
  await signIn(page, 'operator', { at: WORDS })
  const lists = page.getByRole('navigation', { name: '词库列表' })
  await expect(lists.getByText('涉赌')).toBeVisible()
  await expectAccessible(page, 'sensitive words')
  await page.getByRole('button', { name: '新建词库' }).click()
  const dialog = page.getByRole('dialog', { name: '新建词库' })
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByText('请输入名称')).toBeVisible()
  await dialog.getByLabel('名称').fill('端到端词库')
  await dialog.getByRole('button', { name: '保存' }).click()
  const own = page.getByRole('region', { name: '端到端词库' })
  await expect(own.getByText('词库里还没有词')).toBeVisible()

  await own.getByLabel('添加敏感词').fill('走私手表，一，翻新手表')
  await own.getByRole('button', { name: '添加', exact: true }).click()
  await expect(own.getByRole('button', { name: '去掉 走私手表' })).toBeVisible()
  await expect(own.getByTestId('word-problems')).toContainText('少于 2 个字')
  await own.getByRole('button', { name: '去掉 翻新手表' }).click()
  await expect(own.getByRole('button', { name: '去掉 翻新手表' })).toBeHidden()
  await page.locator('[aria-live=polite]').getByRole('button', { name: '撤销' }).click()
  await expect(own.getByRole('button', { name: '去掉 翻新手表' })).toBeVisible()

  await page.getByRole('button', { name: '导入', exact: true }).click()
  const file = page.getByRole('dialog', { name: '导入敏感词' })
  const choose = file.locator('input[type=file]')
  await choose.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50, 0, 0, 0, 1]) })
  await expect(file.getByRole('alert')).toContainText('不是文本文件')
  const csv = '分组,敏感词\n端到端词库,水货相机\n端到端词库,走私手表\n只有一列\n'
  await choose.setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(file.getByTestId('import-preview')).toHaveText('将新增 1 个词；3 行中有 2 行不导入')
  await expect(file.getByText('第 4 行')).toBeVisible()
  await file.getByRole('button', { name: '导入 1 个词' }).click()
  await expect(own.getByRole('button', { name: '去掉 水货相机' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出' }).click()
  await page.getByRole('menuitem', { name: '当前词库（文本）' }).click()
  expect((await download).suggestedFilename()).toContain('端到端词库')

  await page.getByRole('radio', { name: '命中测试' }).click()
  await expect(page).toHaveURL(/view=test/)
  await page.getByLabel('要测试的文字').fill('本店有走.私.手.錶？没有：走-私-手-表，水貨相機')
  await page.getByRole('button', { name: '测试', exact: true }).click()
  await expect(page.getByTestId('hit-total')).toHaveAttribute('data-value', '3')
  await expect(page.getByRole('row', { name: /水货相机 端到端词库 繁体/ })).toBeVisible()

  await page.getByRole('radio', { name: '词库' }).click()
  await lists.getByRole('button', { name: '端到端词库 的操作' }).click()
  await page.getByRole('menuitem', { name: '删除词库' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除词库' }).click()
  await expect(lists.getByText('端到端词库')).toBeHidden()
})

test('[DET-07] [DET-09] the self-check keeps who answered what; filter, note, history and progress', async ({
  page,
}) => {
  await signIn(page, 'operator', { language: 'en', theme: 'dark', at: CHECK })
  // The home page, which is still there for a moment, has a link of this name too.
  await expect(page.getByRole('heading', { level: 1, name: 'Illegal-use self-check' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: '自检样例' }).click()
  await expect(page).toHaveURL(new RegExp(`app=${sender.appid}`))
  await expect(page.getByText('no finished privacy detection')).toBeVisible()
  const clause = page.getByTestId('clause-m1-1')
  await clause.getByRole('radio', { name: 'Yes' }).click()
  await expect(clause.getByTestId('conclusion')).toHaveAttribute('data-value', 'conform')
  await expect(page.getByTestId('answered')).toHaveAttribute('data-value', '1')
  const other = page.getByTestId('clause-g-16')
  await other.getByRole('radio', { name: 'Yes' }).click()
  await expect(other.getByTestId('conclusion')).toHaveAttribute('data-value', 'violate')
  await expectAccessible(page, 'self-check')

  await page.getByRole('radio', { name: /Violates/ }).click()
  await expect(page).toHaveURL(/show=violate/)
  await expect(clause).toBeHidden()
  await other.getByRole('button', { name: /Note and history/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Note', { exact: true }).fill('Removed in the next version')
  await drawer.getByRole('button', { name: 'Save the note' }).click()
  await expect(notice(page, 'Saved')).toBeVisible()
  await expect(drawer.getByTestId('history').getByRole('listitem')).toHaveCount(2)
  await page.reload()
  await expect(page.getByTestId('clause-g-16')).toContainText('Removed in the next version')
  await expect(page.getByTestId('clause-g-16')).toContainText('operator@appwarden.local')
  await page.getByRole('dialog').getByRole('button', { name: 'Take the answer back' }).click()
  await expect(page.getByText('No check matches')).toBeVisible()

  // The drawer lies over the actions of the page.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const ready = page.getByRole('button', { name: 'Download', exact: true })
  await expect(ready).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), ready.click()])
  expect(download.suggestedFilename()).toContain('自检样例')
  await travel(page, CHECK)
  await expect(page.getByRole('row', { name: /自检样例/ })).toContainText('1 / 66')
})
