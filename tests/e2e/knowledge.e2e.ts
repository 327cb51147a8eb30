import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const PAGE = '/knowledge/vulnerabilities'

test('[VULN-01] the library is filtered by number and type; an entry opens, the address holds the view', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  const total = page.getByTestId('vulnerability-total')
  await expect(total).toHaveAttribute('data-value', '411')
  await page.getByRole('searchbox', { name: '漏洞编号' }).or(page.getByLabel('漏洞编号')).first().fill('CVE-2025-31200')
  await expect(total).toHaveAttribute('data-value', '1')
  await expect(page).toHaveURL(/number=CVE-2025-31200/)
  await page.getByRole('row', { name: /CVE-2025-31200/ }).click()
  const drawer = page.getByRole('dialog')
  for (const text of [
    'iOS CoreAudio 内存破坏漏洞',
    '高危',
    '内存破坏',
    '2025-04-16',
    '漏洞简介',
    '漏洞公告',
    '补丁',
    'iOS 18.4.1',
  ])
    await expect(drawer.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'https://nvd.nist.gov/vuln/detail/CVE-2025-31200' })).toBeVisible()
  await expectAccessible(page, 'vulnerability')
  await page.reload()
  await expect(drawer.getByText('iOS CoreAudio 内存破坏漏洞')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await page.goto(`${PAGE}?type=xxe`)
  await expect(total).toHaveAttribute('data-value', '1')
})

test('[VULN-01] an NVD file is imported, any other file is refused, and an imported entry can be deleted', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  const file = (name: string, content: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(content)),
  })
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file('other.json', { a: 1 }))
  await expect(notice(page, '不是 NVD JSON 2.0 或 CNNVD XML 文件')).toBeVisible()
  const cve = {
    id: 'CVE-2026-99999',
    published: '2026-06-01T00:00:00.000',
    descriptions: [{ lang: 'en', value: 'A test.' }],
    metrics: { cvssMetricV31: [{ cvssData: { baseScore: 9.1 } }] },
  }
  await input.setInputFiles(file('nvd.json', { vulnerabilities: [{ cve }, { cve: { id: 'CVE-2026-99998' } }] }))
  await expect(notice(page, '新增 1，更新 0，内置或自建 0')).toBeVisible()
  await page.goto(`${PAGE}?open=CVE-2026-99999`)
  const drawer = page.getByRole('dialog', { name: /CVE-2026-99999/ })
  await expect(drawer.getByText('超危')).toBeVisible()
  await drawer.getByRole('button', { name: '删除' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: '删除' }).last().click()
  await expect(notice(page, '删除成功!')).toBeVisible()
  await expect(page.getByTestId('vulnerability-total')).toHaveAttribute('data-value', '411')
})

test('[VULN-01] an imported entry is reviewed; an own entry is written, changed and deleted', async ({ page }) => {
  // A try that failed may leave its entry behind.
  const number = `CNNVD-202607-00${1 + test.info().retry}`
  await signIn(page, 'admin', { at: PAGE })
  const cnnvd = `<?xml version="1.0" encoding="UTF-8"?><cnnvd><entry><name>示例组件漏洞</name><vuln-id>${number}</vuln-id>
    <severity>高危</severity><vuln-descript>示例组件存在漏洞。</vuln-descript></entry></cnnvd>`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'cnnvd.xml', mimeType: 'text/xml', buffer: Buffer.from(cnnvd) })
  await expect(notice(page, '新增 1，更新 0，内置或自建 0')).toBeVisible()
  await expect(page.getByText('1 条导入的漏洞待审核')).toBeVisible()
  await page.getByRole('button', { name: '查看' }).click()
  await expect(page).toHaveURL(/state=pending/)
  await page.getByRole('row', { name: new RegExp(number) }).click()
  const drawer = page.getByRole('dialog', { name: new RegExp(number) })
  await expect(drawer.getByText('您可见的应用包都不含受影响的组件')).toBeVisible()
  await expectAccessible(page, 'vulnerability to review')
  await drawer.getByRole('button', { name: '通过' }).click()
  await expect(notice(page, '已处理 1 条，通知 0 个账号')).toBeVisible()
  await expect(page.getByText('条导入的漏洞待审核')).toHaveCount(0)
  // What was accepted is rejected again, and accepted once more.
  await drawer.getByRole('button', { name: '驳回' }).click()
  await expect(drawer.getByText('已驳回', { exact: true })).toBeVisible()
  await expect(drawer.getByRole('button', { name: '驳回' })).toHaveCount(0)
  await drawer.getByRole('button', { name: '通过' }).click()
  await expect(drawer.getByRole('button', { name: '驳回' })).toBeVisible()
  await drawer.getByRole('button', { name: '删除' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: '删除' }).last().click()
  await expect(notice(page, '删除成功!')).toBeVisible()

  await page.goto(PAGE)
  await page.getByRole('button', { name: '新建条目' }).click()
  const form = page.getByRole('dialog', { name: '新建条目' })
  const save = form.getByRole('button', { name: '保存' })
  await form.getByLabel('漏洞编号').fill('AW')
  await expect(save).toBeDisabled()
  await form.getByLabel('漏洞编号').fill('AW-2026-0001')
  await form.getByLabel('名称（中文）').fill('支付组件校验绕过')
  await form.getByLabel('受影响版本').fill('examplepay pay-sdk <2.4\nexamplepay')
  await expect(form.getByText('每行一个范围，第 2 行不能识别')).toBeVisible()
  await form.getByLabel('受影响版本').fill('examplepay pay-sdk <2.4')
  await expectAccessible(page, 'own entry')
  await save.click()
  const entry = page.getByRole('dialog', { name: /AW-2026-0001/ })
  await expect(entry.getByText('examplepay pay-sdk <2.4')).toBeVisible()
  await entry.getByRole('button', { name: '编辑' }).click()
  const edit = page.getByRole('dialog', { name: '编辑 AW-2026-0001' })
  await edit.getByLabel('名称（英文）').fill('Bypass in the payment component')
  await edit.getByRole('button', { name: '保存' }).click()
  await expect(edit).toHaveCount(0)
  await page.goto(`${PAGE}?origin=own`)
  await expect(page.getByTestId('vulnerability-total')).toHaveAttribute('data-value', '1')
  await page.getByRole('row', { name: /AW-2026-0001/ }).click()
  await entry.getByRole('button', { name: '删除' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: '删除' }).last().click()
  await expect(notice(page, '删除成功!')).toBeVisible()
})

test('articles are found by pinyin initials, opened, and their code is switched', async ({ page }) => {
  await signIn(page, 'admin', { at: '/knowledge/base' })
  await page.getByRole('searchbox').fill('zsbd')
  await expect(page).toHaveURL(/find=zsbd/)
  const list = page.getByRole('list', { name: '文章列表' })
  await expect(list.getByRole('link').first()).toContainText('证书绑定')
  await expect(page.getByRole('region', { name: '预览' })).toContainText('攻击是什么样子')
  await expectAccessible(page, 'knowledge')
  await list.getByRole('link').first().click()
  await expect(page).toHaveURL('/knowledge/base/certificate-pinning/')
  await page.getByRole('tab', { name: 'Java' }).click()
  await expect(page.getByText('SSLPeerUnverifiedException').first()).toBeVisible()
  await expect(page.getByText('已编译')).toBeVisible()
  await page.getByRole('tab', { name: 'Kotlin' }).click()
  await expect(page.getByText('未在此处编译').first()).toBeVisible()
  await expectAccessible(page, 'article')
  await page.goto('/knowledge/base/android-sig-v1-only/')
  await expect(page).toHaveURL('/knowledge/base/signature-schemes/')
  await page.goto('/knowledge/base/no-such-article/')
  await expect(page.getByText('没有这篇文章')).toBeVisible()
})

test('F1 opens the help of the page beside it, the keyboard sheet links to it, and a solution is exported', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  await expect(page.getByTestId('vulnerability-total')).toBeVisible()
  await page.keyboard.press('F1')
  const drawer = page.getByRole('dialog', { name: '漏洞库' })
  await expect(drawer.getByText('这个页面显示什么')).toBeVisible()
  await drawer.getByRole('button', { name: '全部帮助' }).click()
  await expect(page).toHaveURL(/\/help\?open=page:vulnerabilities/)
  await expect(page.getByRole('article', { name: '漏洞库' })).toBeVisible()
  await expectAccessible(page, 'help')
  await page.locator('body').press('?')
  await page.getByRole('dialog').getByRole('button', { name: '本页帮助' }).click()
  await expect(page.getByRole('dialog', { name: '系统帮助' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/help?find=zzqqxx')
  await expect(page.getByRole('navigation', { name: '全部帮助' })).toContainText('没有找到文章')
  await page.goto('/knowledge/solutions?kind=after_sales')
  await expect(page.getByRole('article')).toContainText('处置流程')
  await expectAccessible(page, 'solutions')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('menuitem', { name: '生成 PDF 报告' }).click()
  await expect(notice(page, '报告已开始生成，完成后在“报告管理”中')).toBeVisible()
})
