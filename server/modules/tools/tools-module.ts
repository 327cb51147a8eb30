import type { FastifyReply } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import {
  toolCompare,
  toolPackage,
  toolPattern,
  toolPhoneCheck,
  toolPhones,
  toolSignature,
} from '#contracts/http/tools.ts'
import { clientGone } from '../../http/client-gone.ts'
import type { Caller, Module } from '../../http/module.ts'
import { listConnected } from '../../platform/adb/adb-client.ts'
import { AdbError } from '../../platform/adb/adb-error.ts'
import { AdbPhone } from '../../platform/adb/adb-phone.ts'
import { type Upload, uploadStore } from '../assets/upload-store.ts'
import { askTool } from './ask-tool.ts'
import { checkPhone } from './check-phone.ts'
import { comparePackages } from './compare-packages.ts'
import type { ToolAnswer } from './tool-messages.ts'
import { toolWorks } from './tool-works.ts'

/** Expressions are matched in linear time; what takes longer than this is refused. */
const PATTERN_SECONDS = 12

/** Platform tools: they read what is uploaded for one answer, in a sandbox, and keep nothing of it. */
export const toolsModule: Module = (mount, deps) => {
  const hidden = deps.config.dataFolder
  const uploads = uploadStore(deps.config.paths.uploads, deps.now)
  const works = toolWorks<unknown>()

  mount(toolPackage, async ({ body, caller, reply, audit }) => {
    const data = await read(caller, reply, `package ${body.upload}`, [body.upload], audit, async ([file], signal) => {
      const answer = await askTool({
        order: { tool: 'package', name: file!.name },
        input: inputOf(file!),
        hidden,
        signal,
      })
      return packageOf(answer)
    })
    return { data }
  })

  mount(toolSignature, async ({ body, caller, reply, audit }) => {
    const data = await read(caller, reply, `signature ${body.upload}`, [body.upload], audit, async ([file], signal) => {
      const answer = await askTool({
        order: { tool: 'signature', name: file!.name },
        input: inputOf(file!),
        hidden,
        signal,
      })
      if (!('signature' in answer)) throw new ProductError('tool.limit', { detail: '' })
      return answer.signature
    })
    return { data }
  })

  mount(toolCompare, async ({ body, caller, reply, audit }) => {
    if (body.before === body.after) throw new ProductError('input.invalid', { detail: 'after' }, { field: 'after' })
    const key = `compare ${body.before} ${body.after}`
    const data = await read(caller, reply, key, [body.before, body.after], audit, async (files, signal) => {
      const [before, after] = await Promise.all(
        files.map(async (file) =>
          packageOf(
            await askTool({ order: { tool: 'entries', name: file.name }, input: inputOf(file), hidden, signal }),
          ),
        ),
      )
      return comparePackages(before!, after!)
    })
    return { data }
  })

  mount(toolPattern, async ({ body, reply }) => {
    const answer = await askTool({
      order: { tool: 'pattern', name: '' },
      input: Buffer.from(JSON.stringify(body)),
      hidden,
      wallSeconds: PATTERN_SECONDS,
      signal: clientGone(reply),
    })
    if (!('pattern' in answer)) throw new ProductError('tool.limit', { detail: '' })
    return { data: answer.pattern }
  })

  mount(toolPhones, async () => {
    const { adb, phones } = await listConnected(deps.config.adb)
    return { adb, data: phones }
  })

  mount(toolPhoneCheck, async ({ body, audit }) => {
    audit(body.serial)
    const { phones } = await listConnected(deps.config.adb)
    const phone = phones.find(({ serial, state }) => serial === body.serial && state === 'device')
    if (!phone) throw new ProductError('detection.no_phone')
    try {
      return { data: await checkPhone(new AdbPhone(deps.config.adb, phone.serial), deps.now) }
    } catch (error) {
      if (error instanceof AdbError) throw new ProductError('tool.phone', { detail: error.message.slice(0, 200) })
      throw error
    }
  })

  /** Reads complete uploads of the caller; they are removed when the answer is there, whatever it is. */
  async function read<T>(
    caller: Caller,
    reply: FastifyReply,
    key: string,
    ids: readonly string[],
    audit: (target: string, detail?: string) => void,
    work: (files: readonly Upload[], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    audit(ids.join(' '))
    const answer = await works.answer(
      key,
      caller.userId,
      async () => {
        const files = await Promise.all(ids.map((id) => uploads.find(id, caller.userId)))
        if (files.some(({ offset, length }) => offset < length)) throw new ProductError('asset.incomplete')
        audit(
          files
            .map(({ name }) => name)
            .join(', ')
            .slice(0, 400),
        )
        return {
          run: (signal) => work(files, signal),
          finish: async () => {
            for (const { id } of files) await uploads.remove(id)
          },
        }
      },
      clientGone(reply),
    )
    return answer as T
  }
}

function inputOf({ path, length }: Upload) {
  return { path, size: length }
}

function packageOf(answer: Exclude<ToolAnswer, { refused: unknown }>) {
  if (!('package' in answer)) throw new ProductError('tool.limit', { detail: '' })
  return answer.package
}
