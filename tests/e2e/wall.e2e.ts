import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import { expect, expectAccessible, prepare, signIn, test } from './support/console.ts'

/** A display token as the server would store it: its hash alone. */
async function makeToken(
  views: { view: string; seconds: number }[] = [],
): Promise<{ id: string; text: string; revoke: () => Promise<void> }> {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const { id: userId } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS.operator2.username)
    .executeTakeFirstOrThrow()
  const text = `aw_dt_${randomBytes(32).toString('base64url')}`
  const id = randomUUID()
  await meta.db
    .insertInto('display_tokens')
    .values({
      id,
      user_id: userId,
      name: '一号大屏',
      hint: text.slice(0, 10),
      hash: createHash('sha256').update(text).digest('hex'),
      views: JSON.stringify(views),
      created_at: Date.now(),
      expires_at: Date.now() + 86_400_000,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  await meta.close()
  return {
    id,
    text,
    async revoke() {
      const again = await openMeta(process.env['E2E_DATA'] ?? '')
      await again.db.updateTable('display_tokens').set({ revoked_at: Date.now() }).where('id', '=', id).execute()
      await again.close()
    },
  }
}

test('[OBS-01] a display token opens its wall and nothing else, without a session, and leaves the address', async ({
  page,
}) => {
  const token = await makeToken()
  await prepare(page)
  await page.goto(`/maps?wall=1#token=${token.text}`)
  await expect(page.getByTestId('connection')).toContainText('实时')
  await expect(page.getByTestId('attacks-today')).toHaveText(/\d/)
  expect(page.url()).not.toContain('aw_dt_')
  // Nothing to press: no filters, no rows, no way into the console.
  await expect(page.getByRole('navigation', { name: '筛选' })).toHaveCount(0)
  await expect(page.locator('[data-field=risk] button')).toHaveCount(0)
  await page.goto('/statistics/user_analyzer')
  await expect(page).toHaveURL(/\/maps/)
})

test('[OBS-01] a revoked token says so on the wall', async ({ page }) => {
  const token = await makeToken()
  await prepare(page)
  await page.goto(`/maps?wall=1#token=${token.text}`)
  await expect(page.getByTestId('connection')).toContainText('实时')
  await token.revoke()
  await page.reload()
  await expect(page.getByText(/已被?撤销/).first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByTestId('attacks-today')).toHaveCount(0)
})

test('[OBS-01] a token walks through its saved views', async ({ page }) => {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const { id: userId } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS.operator2.username)
    .executeTakeFirstOrThrow()
  const views = [
    { id: randomUUID(), name: '世界', search: 'area=world' },
    { id: randomUUID(), name: '严重', search: 'f=level:critical' },
  ]
  for (const view of views)
    await meta.db
      .insertInto('saved_views')
      .values({ ...view, user_id: userId, page: 'observatory', shared: false, version: 1, updated_at: Date.now() })
      .execute()
  await meta.close()
  const token = await makeToken(views.map(({ id }) => ({ view: id, seconds: 5 })))
  await prepare(page)
  await page.goto(`/maps?wall=1#token=${token.text}`)
  await expect(page.getByText('世界', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/area=world/)
  await expect(page).toHaveURL(/level(%3A|:)critical/, { timeout: 15_000 })
  await expect(page.getByText('严重', { exact: true }).first()).toBeVisible()
})

test('[OBS-01] wall mode by key: no chrome, the pointer hides, Esc leads back', async ({ page }) => {
  await signIn(page, 'operator2', { at: '/maps' })
  const bar = page.getByRole('navigation', { name: '筛选' })
  await expect(bar).toBeVisible()
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/wall=1/)
  await expect(bar).toHaveCount(0)
  await expect(page.locator('.wall[data-idle]')).toHaveCount(1, { timeout: 10_000 })
  await page.keyboard.press('Escape')
  await expect(bar).toBeVisible()
})

for (const [name, width, height] of [
  ['16:9', 1920, 1080],
  ['ultra-wide', 3840, 1080],
  ['portrait', 1080, 1920],
  ['a small console', 1366, 768],
] as const)
  test(`[OBS-01] the wall fits ${name}: nothing scrolls, nothing covers the South China Sea inset`, async ({
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height })
    await signIn(page, 'operator2', { language: 'en', at: width === 1366 ? '/maps' : '/maps?wall=1' })
    await expect(page.getByTestId('attacks-today')).toBeVisible()
    const inset = page.getByRole('img', { name: 'South China Sea Islands' })
    await expect(inset).toBeVisible()
    const measured = await page.evaluate(() => {
      const wall = document.querySelector('.wall') as HTMLElement
      const box = (document.querySelector('.wall-inset') as Element).getBoundingClientRect()
      const points = [0.05, 0.5, 0.95].flatMap((x) =>
        [0.05, 0.5, 0.95].map((y) => [box.x + box.width * x, box.y + box.height * y]),
      )
      return {
        scrolls: wall.scrollWidth > wall.clientWidth + 1 || wall.scrollHeight > wall.clientHeight + 1,
        covered: points.filter(
          ([x, y]) => !document.elementFromPoint(x as number, y as number)?.closest('.wall-corner'),
        ).length,
        smallest: Math.min(
          ...[...document.querySelectorAll('.wall p, .wall b, .wall h2')].map((one) =>
            Number.parseFloat(getComputedStyle(one).fontSize),
          ),
        ),
      }
    })
    expect(measured.scrolls).toBe(false)
    expect(measured.covered).toBe(0)
    if (height >= 1080) expect(measured.smallest).toBeGreaterThanOrEqual(14)
  })

test('[OBS-01] a phone has an observatory of its own: nothing shifts, no key hints, no columns', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await signIn(page, 'operator2', { at: '/maps' })
  await expect(page.getByTestId('attacks-today')).toHaveText(/\d/)
  await expect(page.getByRole('navigation', { name: '栏目' }).getByRole('link')).toHaveCount(4)
  await expect(page.getByRole('img', { name: '南海诸岛' })).toBeVisible()
  expect(await page.locator('kbd:visible').count()).toBe(0)
  const measured = await page.evaluate(() => ({
    shift: (window as unknown as { shifts: { sum: number } }).shifts.sum,
    wide: (document.querySelector('.wall') as HTMLElement).scrollWidth,
  }))
  expect(measured.shift).toBeLessThan(0.05)
  expect(measured.wide).toBeLessThanOrEqual(390)
})

test('[OBS-01] the wall is accessible', async ({ page }) => {
  await signIn(page, 'operator2', { at: '/maps?wall=1' })
  await expect(page.getByTestId('attacks-today')).toHaveText(/\d/)
  await expectAccessible(page, 'wall')
})
