import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { parse } from 'yaml'
import { ACCOUNTS, expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const PAGE = '/knowledge/training'
const COURSE = 'detection-report'
type Source = {
  zh: { title: string }
  lessons: {
    id: string
    zh: string
    questions: { zh: { text: string; right: string; wrong: string[]; reason: string } }[]
  }[]
}
const source = parse(readFileSync(`knowledge/courses/${COURSE}/course.yaml`, 'utf8')) as Source
const answers = source.lessons.flatMap(({ questions }) => questions.map(({ zh }) => zh))

/** The question that is shown. */
async function shownQuestion(page: Page) {
  const legend = (await page.locator('legend').textContent()) ?? ''
  const found = answers.find(({ text }) => legend.includes(text))
  if (!found) throw new Error(`no such question: ${legend}`)
  return found
}

async function answerLesson(page: Page, count: number): Promise<void> {
  for (let at = 1; at <= count; at++) {
    await expect(page.locator('legend')).toContainText(`${at} / ${count}`)
    const { right } = await shownQuestion(page)
    await page.getByText(right, { exact: true }).click()
    await page.getByRole('button', { name: '提交答案' }).click()
    await page.getByRole('button', { name: at < count ? '下一题' : '看结果' }).click()
  }
}

test('[KNOW-01] a lesson is read and answered by keyboard; a wrong answer shows the right one and why', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: `${PAGE}?course=${COURSE}` })
  await expect(page.getByRole('heading', { level: 1, name: source.zh.title })).toBeVisible()
  await expect(page.getByRole('article', { name: '检测报告' })).toBeVisible()
  await expectAccessible(page, 'training lesson')
  await page.getByRole('button', { name: '下一节' }).click()
  await expect(page).toHaveURL(/part=quiz/)
  await expect(page.getByRole('navigation', { name: '课程内容' })).toContainText('已读 1 / 1 篇')
  const { right, reason } = await shownQuestion(page)
  await expect(page.getByText(reason)).toHaveCount(0)
  const options = page.getByRole('radio')
  const names = await page.locator('fieldset label').allInnerTexts()
  const wrong = names.findIndex((name) => !name.includes(right))
  const letter = 'ABCD'[wrong] as string
  await options.first().focus()
  await page.keyboard.press(letter.toLowerCase())
  await expect(options.nth(wrong)).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByText(reason)).toBeVisible()
  await expect(page.getByText('你的答案，不对')).toBeAttached()
  await expect(options.first()).toBeDisabled()
  await expectAccessible(page, 'training answer')
  await expect(page.getByRole('button', { name: '下一题' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`2 / ${source.lessons[0]?.questions.length}`, { exact: true })).toBeVisible()
  // What was answered stays over a reload.
  await page.reload()
  await expect(page.getByText(`2 / ${source.lessons[0]?.questions.length}`, { exact: true })).toBeVisible()
})

test('[KNOW-01] all lessons answered issue a certificate, whose number is checked and whose PDF is downloaded', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: `${PAGE}?course=${COURSE}` })
  for (const [at, { id, questions }] of source.lessons.entries()) {
    await page.goto(`${PAGE}?course=${COURSE}&lesson=${id}&part=quiz`)
    await answerLesson(page, questions.length)
    await expect(page.getByTestId('training-result')).toContainText(`答对 ${questions.length} 题`)
    await expect(page.getByTestId('training-finished')).toHaveText(`${at + 1} / ${source.lessons.length}`)
  }
  const card = page.getByRole('region', { name: '学完得到' })
  const number = ((await card.getByText(/^AWT-/).textContent()) ?? '').trim()
  await expect(card).toContainText(ACCOUNTS.admin.username)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: '下载 PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${source.zh.title} ${number}.pdf`)
  await page.getByRole('button', { name: '核验证书' }).click()
  const dialog = page.getByRole('dialog', { name: '核验证书' })
  await dialog.getByRole('textbox').fill('AWT-0000-0000-0000')
  await dialog.getByRole('button', { name: '核验' }).click()
  await expect(dialog).toContainText('没有这个编号')
  await dialog.getByRole('textbox').fill(number.toLowerCase())
  await dialog.getByRole('button', { name: '核验' }).click()
  await expect(dialog.getByText('有效', { exact: true })).toBeVisible()
  await expect(dialog).toContainText(ACCOUNTS.admin.username)
  await expectAccessible(page, 'training check')
})

test('a course is assigned with a day, the account sees it, and the team says who has not passed', async ({ page }) => {
  await signIn(page, 'admin', { at: `${PAGE}?course=alert-to-device` })
  await page.getByRole('button', { name: '分派', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('完成期限').fill('2030-12-15')
  await dialog.getByLabel('搜索账号').fill(ACCOUNTS.operator.username)
  await dialog.getByText(ACCOUNTS.operator.username).click()
  await expectAccessible(page, 'training assign')
  await dialog.getByRole('button', { name: '分派', exact: true }).click()
  await expect(notice(page, '已分派给 1 个账号')).toBeVisible()
  const open = page.getByRole('region', { name: '还没结业的' })
  await expect(open).toContainText(ACCOUNTS.operator.username)
  await open.getByRole('button', { name: '提醒' }).click()
  await expect(notice(page, '已提醒 1 人')).toBeVisible()
  await page.context().clearCookies()
  await signIn(page, 'operator', { at: `${PAGE}?course=alert-to-device` })
  await expect(page.getByText('已分派，2030-12-15 前完成')).toBeVisible()
  await expect(page.getByRole('region', { name: '团队进度' })).toHaveCount(0)
})

test('a course that does not exist says so and leads back; both languages and a phone show the page', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: `${PAGE}?course=no-such-course`, language: 'en', theme: 'dark' })
  await expect(page.getByText('There is no such course')).toBeVisible()
  await page.getByRole('button', { name: 'Open the courses' }).click()
  await expect(page.getByRole('navigation', { name: 'Lessons' })).toBeVisible()
  await expectAccessible(page, 'training dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Lessons' })).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
