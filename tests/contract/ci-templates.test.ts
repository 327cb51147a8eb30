import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { saveStrategy } from '#contracts/http/detection/tasks.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { SETTINGS_APK } from '#tests/support/asset-bed.ts'
import { type DetectionBed, detectionBed, good } from '#tests/support/detection-bed.ts'

/** The templates of sdk/ci: their form, and each of their shell steps against a running server. */
const read = (name: string) => readFileSync(join('sdk/ci', name), 'utf8')

let bed: DetectionBed
let folder: string
let token: string
let lenient: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-ci-'))
  const sdk = join(folder, 'sdk')
  execFileSync(process.execPath, ['scripts/build-sdk.mjs', sdk], { env: { ...process.env, APPWARDEN_JAVAC: '' } })
  bed = await detectionBed({ APPWARDEN_SDK: sdk })
  const owner = await bed.signIn('ci', 'operator')
  const scopes = [
    'sdk.download',
    'asset.upload',
    'asset.detect',
    'asset.detect_sdk',
    'asset.detect_privacy',
    'detect.view',
  ]
  for (const name of ['github-actions.yml', 'gitlab-ci.yml', 'Jenkinsfile'])
    for (const scope of scopes) expect([name, read(name).includes(scope)]).toEqual([name, true])
  token = (await good(owner, createAccessToken, { body: { name: 'ci', scopes, days: 1 } })).token
  const rules = { items: ['android-debuggable'], levels: { 'android-debuggable': 'low' } }
  const gate = { need_signature: false }
  const made = await good(await bed.signIn('rules', 'administrator'), saveStrategy, {
    body: { name: 'Lenient', ...rules, gate },
  })
  lenient = made.data.id
}, 240_000)
afterAll(async () => {
  await bed?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A build folder whose `gradlew` makes the package, as the build of a customer does. */
function workspace(name: string): string {
  const place = join(folder, name)
  mkdirSync(place)
  writeFileSync(join(place, 'built.apk'), SETTINGS_APK)
  writeFileSync(
    join(place, 'gradlew'),
    '#!/bin/sh\nset -e\nmkdir -p app/build/outputs/apk/release\ncp built.apk app/build/outputs/apk/release/app-release.apk\n',
  )
  chmodSync(join(place, 'gradlew'), 0o755)
  return place
}

/** Runs the steps as the service does, one shell each; the exit code and output of the last one that ran. */
async function run(place: string, steps: readonly string[], env: Record<string, string>, shell: readonly string[]) {
  const all = { PATH: process.env['PATH'] ?? '', ...env, APPWARDEN_URL: bed.http.url, APPWARDEN_TOKEN: token }
  let last = { code: 0, output: '' }
  for (const step of steps) {
    last = await new Promise((done) => {
      const [program = 'sh', ...args] = shell
      execFile(program, [...args, step], { cwd: place, env: all }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      )
    })
    if (last.code !== 0) break
  }
  return last
}

/** A release strategy refuses the package, a lenient one lets it through; both leave the findings. */
async function passesAndFails(
  name: string,
  steps: readonly string[],
  env: Record<string, string>,
  shell: readonly string[],
) {
  const place = workspace(name)
  const refused = await run(place, steps, env, shell)
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('gate not passed')])
  const findings = () => JSON.parse(readFileSync(join(place, 'appwarden.sarif'), 'utf8')) as { version: string }
  expect(findings().version).toBe('2.1.0')
  rmSync(join(place, 'appwarden.sarif'))
  const passed = await run(place, steps, { ...env, APPWARDEN_STRATEGY: lenient }, shell)
  expect([passed.code, passed.output]).toEqual([0, expect.stringContaining('gate passed')])
  expect(findings().version).toBe('2.1.0')
  const wrong = await run(place, steps, { ...env, APPWARDEN_STRATEGY: 'nothing' }, shell)
  expect(wrong.code).toBe(2)
}

test('the template of GitHub Actions is a valid workflow, and its steps scan, judge and leave SARIF', async () => {
  const content = read('github-actions.yml')
  const check = async (text: string) => {
    const { context, value } = parseWorkflow({ name: 'appwarden.yml', content: text }, new NoOperationTraceWriter())
    const problems = context.errors.getErrors().map(({ message }) => message)
    const template = value && (await convertWorkflowTemplate(context, value))
    return [...problems, ...(template?.errors ?? []).map(({ Message }) => Message)]
  }
  expect(await check(content)).toEqual([])
  expect(await check(content.replace('runs-on:', 'run-on:'))).not.toEqual([])
  const { jobs } = parse(content) as {
    jobs: { scan: { env: Record<string, string>; steps: { run?: string; uses?: string }[] } }
  }
  const steps = jobs.scan.steps.flatMap((step) => step.run ?? [])
  // Values of the outside come as variables: an expression inside a command would let them inject one.
  expect(steps.filter((step) => step.includes('${{'))).toEqual([])
  expect(jobs.scan.steps.flatMap((step) => step.uses ?? [])).toContain('github/codeql-action/upload-sarif@v3')
  await passesAndFails('github', steps, jobs.scan.env, ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'])
}, 240_000)

test('the template of GitLab has the form of a pipeline, and its script scans, judges and leaves SARIF', async () => {
  const Job = z.strictObject({
    stage: z.string(),
    image: z.string(),
    timeout: z.string(),
    variables: z.record(z.string().regex(/^[A-Z_]+$/), z.string()),
    script: z.array(z.string().min(1)).min(1),
    artifacts: z.strictObject({
      when: z.enum(['always', 'on_success', 'on_failure']),
      expire_in: z.string(),
      paths: z.array(z.string()),
    }),
  })
  const pipeline = z.strictObject({ stages: z.array(z.string()), appwarden: Job }).parse(parse(read('gitlab-ci.yml')))
  const { appwarden } = pipeline
  expect(pipeline.stages).toContain(appwarden.stage)
  expect(appwarden.artifacts.paths).toEqual(['appwarden.sarif'])
  await passesAndFails('gitlab', [appwarden.script.join('\n')], appwarden.variables, ['bash', '-eo', 'pipefail', '-c'])
}, 240_000)

test('the template of Jenkins has the form of a declarative pipeline, and its shell steps scan, judge and leave SARIF', async () => {
  const content = read('Jenkinsfile')
  const steps = [...content.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, step = '']) => step.replaceAll('\\\\', '\\'))
  expect(steps).toHaveLength(3)
  const bare = content.replaceAll(/'''[\s\S]*?'''|'[^'\n]*'/g, "''").replaceAll(/^\s*\/\/.*$/gm, '')
  const blocks = [...bare.matchAll(/^( *)(\w+)(?:\(''\))? \{$/gm)].map(
    ([, indent = '', name]) => `${indent.length / 2} ${name}`,
  )
  expect(blocks).toEqual([
    '0 pipeline',
    '1 options',
    '1 environment',
    '1 stages',
    '2 stage',
    '3 steps',
    '2 stage',
    '3 steps',
    '1 post',
    '2 always',
  ])
  let depth = 0
  for (const sign of bare.replaceAll(/[^{}]/g, '')) {
    depth += sign === '{' ? 1 : -1
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  expect(depth).toBe(0)
  const env = Object.fromEntries(
    [...content.matchAll(/^ {4}(\w+) = '(.*)'$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(Object.keys(env)).toEqual(['APPWARDEN_URL', 'APPWARDEN_STRATEGY', 'PACKAGE'])
  expect(content).toContain("APPWARDEN_TOKEN = credentials('appwarden-token')")
  await passesAndFails('jenkins', steps, env as Record<string, string>, ['sh', '-xec'])
}, 240_000)

test('each template says that it was not run on the service', () => {
  for (const name of ['github-actions.yml', 'gitlab-ci.yml', 'Jenkinsfile'])
    expect([name, read(name).includes('Not run on the service')]).toEqual([name, true])
})
