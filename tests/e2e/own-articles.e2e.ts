import { Buffer } from 'node:buffer'
import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { deleteOwnArticle, type OwnContent, saveOwnArticle } from '#contracts/http/own-articles.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { packagesOf } from './support/packages.ts'

const LIST = '/knowledge/own'
const picture = (color: string) =>
  sharp({ create: { width: 1200, height: 300, channels: 3, background: color } })
    .png()
    .toBuffer()

test.describe.configure({ mode: 'serial' })

test('[KNOW-01] an article is written with a live preview, saved by the keyboard, published, found by a reader, and withdrawn', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: LIST })
  await page.getByRole('button', { name: '新建文章' }).click()
  await expect(page).toHaveURL('/knowledge/own/new/')
  // The address changes before the page: the list has a field for titles too.
  await expect(page.getByRole('heading', { level: 1, name: '新文章' })).toBeVisible()
  await page.getByLabel('标题', { exact: false }).first().fill('内网证书轮换')
  await page.getByLabel('摘要').fill('内网服务证书到期前的轮换步骤与联系人。')
  const body = page.getByRole('textbox', { name: '正文（Markdown）' })
  await body.fill('## 步骤\n\n联系 **值班人员**。\n\n一段 <b>HTML</b>')
  const preview = page.getByRole('region', { name: '预览' })
  await expect(preview.getByRole('heading', { name: '步骤' })).toBeVisible()
  await expect(preview.getByText('有 1 处不支持的写法，读者看不到')).toBeVisible()
  await preview.getByRole('button', { name: /第 5 行/ }).click()
  await expect(body).toBeFocused()
  expect(
    await body.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd)),
  ).toBe('一段 <b>HTML</b>')
  await expectAccessible(page, 'own article with a problem')
  await page.keyboard.press('Control+s')
  await expect(notice(page, '已保存为版本 1')).toBeVisible()
  await expect(page).toHaveURL(/\/knowledge\/own\/own-\d+\/$/)

  // A draft with problems is kept, and not shown to readers.
  await page.getByRole('button', { name: '发布' }).click()
  await expect(page.getByRole('alert').getByText(/第 5 行 · 不支持 HTML/)).toBeVisible()
  await page.getByRole('alert').getByRole('button', { name: '知道了' }).click()

  await body.fill('## 步骤\n\n联系 **值班人员**。\n')
  await body.press('Control+End')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: '流程图.png', mimeType: 'image/png', buffer: await picture('#1661c4') })
  await expect(preview.getByRole('img', { name: '流程图' })).toBeVisible()
  await expect.poll(() => preview.getByRole('img').evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1200)
  // A wide image is made as wide as the text.
  const inside = (await preview.boundingBox()) ?? { x: 0, width: 0 }
  const drawn = (await preview.getByRole('img').boundingBox()) ?? { x: 0, width: 0 }
  expect(drawn.width).toBeGreaterThan(100)
  expect(drawn.x + drawn.width).toBeLessThanOrEqual(inside.x + inside.width)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await expect(page.getByText(/fake\.png：只支持静态的 PNG/)).toBeVisible()
  await page.getByRole('button', { name: '发布' }).click()
  await expect(notice(page, '已发布版本 2')).toBeVisible()
  await expect(page.getByText('已发布', { exact: true })).toBeVisible()

  await page.goto('/knowledge/base?find=nwzslh&own=yes')
  const hit = page.getByRole('list', { name: '文章列表' }).getByRole('link', { name: /内网证书轮换/ })
  await expect(hit).toContainText('本单位')
  await hit.click()
  await expect(page.getByRole('img', { name: '流程图' })).toBeVisible()
  await expectAccessible(page, 'an own article as readers see it')
  await page.getByRole('link', { name: '编辑' }).click()
  await page.getByRole('button', { name: '操作', exact: true }).click()
  await page.getByRole('menuitem', { name: '撤回' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '撤回' }).click()
  await expect(notice(page, '已撤回')).toBeVisible()
  await page.goto('/knowledge/base?own=yes')
  await expect(page.getByText('没有找到文章')).toBeVisible()
})

test('[KNOW-01] what is not saved survives a reload, a leave is asked about, and versions are compared and restored', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: LIST, language: 'en' })
  await page.getByRole('row', { name: /内网证书轮换/ }).click()
  await page
    .getByRole('button', { name: 'English not written' })
    .or(page.getByRole('radio', { name: /English/ }))
    .first()
    .click()
  await page.getByRole('button', { name: 'Write in English' }).click()
  await page.getByLabel('Title').first().fill('Rotation of internal certificates')
  await page.getByLabel('Summary').fill('Steps and contacts before certificates of internal services expire.')
  const body = page.getByRole('textbox', { name: 'Text (Markdown)' })
  await body.fill('## Steps\n\nCall the person on duty.')
  // Within the console the page asks, and stays.
  await page.getByRole('link', { name: 'Training' }).first().click()
  const question = page.getByRole('alertdialog', { name: 'Leave the editor?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/knowledge\/own\/own-/)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(page.getByText(/^Unsaved text of .* was loaded$/)).toBeVisible()
  await page.getByRole('radio', { name: /English/ }).click()
  await expect(body).toHaveValue('## Steps\n\nCall the person on duty.')
  await expectAccessible(page, 'an own article in English')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notice(page, 'Saved as version 3')).toBeVisible()

  await page.getByRole('button', { name: 'Versions' }).click()
  const versions = page.getByRole('dialog', { name: 'Versions and differences' })
  await expect(versions.getByText('Call the person on duty.')).toBeVisible()
  await expectAccessible(page, 'versions')
  await versions.getByRole('button', { name: 'Restore version 2' }).click()
  await expect(notice(page, 'Restored as version 4')).toBeVisible()
  await expect(page.getByRole('radio', { name: /English not written/ })).toBeVisible()
})

test('[KNOW-01] an article of the product is copied, listed, filtered and deleted with confirmation', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: LIST })
  await page.getByRole('button', { name: '从产品文章复制' }).click()
  const dialog = page.getByRole('dialog', { name: '从产品文章复制' })
  await dialog.getByRole('searchbox').fill('证书绑定')
  await dialog.getByRole('button', { name: /^证书绑定/ }).click()
  await dialog.getByRole('button', { name: '新建文章' }).click()
  await expect(page.getByRole('textbox', { name: '正文（Markdown）' })).toHaveValue(/攻击是什么样子/)
  await page.goto(LIST)
  await expect(page.getByTestId('own-article-total')).toHaveAttribute('data-value', '2')
  await expectAccessible(page, 'own articles')
  await page.goto(`${LIST}?find=证书绑定`)
  await expect(page.getByTestId('own-article-total')).toHaveAttribute('data-value', '1')
  for (const left of ['证书绑定', '内网证书轮换']) {
    await page.goto(`${LIST}?find=${left}`)
    await page
      .getByRole('row', { name: new RegExp(left) })
      .getByRole('button', { name: '操作', exact: true })
      .click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
    await expect(notice(page, '删除成功!').first()).toBeVisible()
  }
  await page.goto(LIST)
  await expect(page.getByText('还没有自有文章')).toBeVisible()
  await page.goto('/knowledge/own/own-999999/')
  await expect(page.getByText('没有这篇文章')).toBeVisible()
})

test('[KNOW-01] what somebody else saved meanwhile is shown, compared, and kept as a version below mine', async ({
  page,
}) => {
  const { api } = packagesOf('admin', ['all'])
  const content = (body: string): OwnContent => ({
    ...{ kind: 'article', topic: 'network', solution: null, platforms: [], items: [], pages: [], en: null },
    zh: { title: '值班手册', summary: '值班人员的联系方式与处理步骤。', words: '', body },
  })
  const { id } = await api(saveOwnArticle, { body: { id: null, based_on: 0, content: content('第一版') } })
  await signIn(page, 'admin', { at: `/knowledge/own/${id}/` })
  const body = page.getByRole('textbox', { name: '正文（Markdown）' })
  const save = page.getByRole('button', { name: '保存', exact: true })
  await body.fill('我的内容')
  await api(saveOwnArticle, { body: { id, based_on: 1, content: content('别人的内容') } })
  await save.click()
  const bar = page.getByRole('status').filter({ hasText: '他人已保存版本 2，您的内容基于版本 1' })
  await expect(bar).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(notice(page, '数据已被他人修改，请核对最新数据后重试')).toHaveCount(0)
  await expectAccessible(page, 'a conflict of versions')
  await bar.getByRole('button', { name: '查看差异' }).click()
  const versions = page.getByRole('dialog', { name: '版本与差异' })
  await expect(versions.getByText('别人的内容')).toBeVisible()
  await expect(versions.getByText('我的内容')).toBeVisible()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: '把我的内容存为新版本' }).click()
  await expect(notice(page, '已保存为版本 3')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(body).toHaveValue('我的内容')

  await body.fill('还是我的')
  await api(saveOwnArticle, { body: { id, based_on: 3, content: content('又是别人的') } })
  await save.click()
  await page.getByRole('button', { name: '放弃我的修改' }).click()
  await expect(body).toHaveValue('又是别人的')
  await api(deleteOwnArticle, { body: { id } })
})

test('[KNOW-01] images that are pasted and dropped stand below each other, each with its own description', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: '/knowledge/own/new/' })
  const body = page.getByRole('textbox', { name: '正文（Markdown）' })
  await body.fill('前文\n\n后文')
  await body.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0))
  const [blue, red] = await Promise.all([picture('#1661c4'), picture('#c4161f')])
  await hand(body, 'paste', [['image.png', blue]])
  await expect(body).toHaveValue(/image:/)
  await hand(body, 'drop', [
    ['流程.png', red],
    ['结果.png', blue],
  ])
  const image = (text: string) => `!\\[${text}\\]\\(image:[0-9a-f-]{36}\\)`
  await expect(body).toHaveValue(
    new RegExp(`^${['前文', image('图片说明'), image('流程'), image('结果'), '后文'].join('\n\n')}$`),
  )
  await expect(page.getByRole('region', { name: '预览' }).getByRole('img')).toHaveCount(3)
})

test('[ROLE-01] without rule.edit the pages are not in the menu, and their addresses lead home', async ({ page }) => {
  await signIn(page, 'auditor', { at: '/knowledge/base' })
  await expect(page.getByRole('link', { name: '知识库' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: '自有文章' })).toHaveCount(0)
  for (const path of [LIST, '/knowledge/own/new/', '/knowledge/own/own-1/']) {
    await page.goto(path)
    await expect(page).toHaveURL('/home')
  }
})

/** Hands files over as the clipboard and the pointer do. */
function hand(body: Locator, type: 'paste' | 'drop', files: readonly (readonly [string, Buffer])[]): Promise<void> {
  const all = files.map(([name, bytes]) => [name, bytes.toString('base64')] as const)
  return body.evaluate(
    (area, { type, all }) => {
      const data = new DataTransfer()
      for (const [name, bytes] of all)
        data.items.add(
          new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name, { type: 'image/png' }),
        )
      const both = { bubbles: true, cancelable: true }
      area.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent('paste', { ...both, clipboardData: data })
          : new DragEvent('drop', { ...both, dataTransfer: data }),
      )
    },
    { type, all },
  )
}
