import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { ApplicationType, DetectionKind } from './api.generated.ts'
import { AppWardenClient, AppWardenError } from './client.ts'
import { scanPackage } from './scan-package.ts'

export const HELP = `node appwarden-client.mjs scan FILE [options]
  Uploads a package to AppWarden, waits for its detection and reports whether it passes the gate of the strategy.
  Exit code: 0 passed, 1 not passed, 2 no result.

  APPWARDEN_URL     address of the server
  APPWARDEN_TOKEN   access token with asset.upload, asset.detect, asset.detect_sdk, asset.detect_privacy, detect.view

  --strategy ID     strategy whose gate decides (default: full)
  --kinds A,B       what it is examined for (default: all that is offered and needs no phone)
  --app NUMBER      application that the package joins (default: the one with its package name)
  --type TYPE       application type, as short_video
  --sarif FILE      writes the findings as SARIF 2.1.0
  --json FILE       writes the whole result
  --timeout MINUTES until the detection has ended (default: 30)`

type Io = {
  env: Record<string, string | undefined>
  print(line: string): void
  fail(line: string): void
  pollMs?: number
}

/** The command of continuous integration; answers the exit code. */
export async function scanCommand(args: string[], { env, print, fail, pollMs }: Io): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        strategy: { type: 'string' },
        kinds: { type: 'string' },
        app: { type: 'string' },
        type: { type: 'string' },
        sarif: { type: 'string' },
        json: { type: 'string' },
        timeout: { type: 'string', default: '30' },
      },
    })
    const [file, ...more] = positionals
    const { APPWARDEN_URL: url, APPWARDEN_TOKEN: token } = env
    const minutes = Number(values.timeout)
    if (!file || more.length > 0 || !url || !token || !(minutes > 0)) {
      fail(HELP)
      return 2
    }
    let shown = ''
    const client = new AppWardenClient({ url, token, timeoutMs: 60_000 })
    const outcome = await scanPackage(client, basename(file), new Blob([readFileSync(file)]), {
      ...(values.strategy && { strategy: values.strategy }),
      ...(values.kinds && { kinds: values.kinds.split(',') as DetectionKind[] }),
      ...(values.app && { appid: values.app }),
      ...(values.type && { type: values.type as ApplicationType }),
      ...(pollMs !== undefined && { pollMs }),
      timeoutMs: minutes * 60_000,
      onProgress({ state, stage }) {
        const now = `${state} ${stage}`
        if (now !== shown) print(now)
        shown = now
      },
    })
    const { task, passed } = outcome
    if (values.sarif) writeFileSync(values.sarif, await outcome.sarif())
    if (values.json) writeFileSync(values.json, await outcome.json())
    const { high, middle, low } = task.counts ?? { high: 0, middle: 0, low: 0 }
    print(`${task.package_id} ${task.version}: score ${task.score}, ${high} high, ${middle} middle, ${low} low`)
    print(`${url.replace(/\/+$/, '')}/detection/tasks/${task.id}/`)
    print(passed ? 'gate passed' : 'gate not passed')
    return passed ? 0 : 1
  } catch (error) {
    fail(error instanceof AppWardenError ? `${error.message} (${error.key})` : String((error as Error).message))
    return 2
  }
}
