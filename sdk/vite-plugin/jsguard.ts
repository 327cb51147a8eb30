import { protectScript } from '#engines/jsguard/protect-script.ts'
import { type Preset, SCRIPT_OPTIONS, type ScriptOptions } from '#engines/jsguard/script-options.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'

/** What the plugin is given: a preset, options of the engine, and which chunks it takes. */
export type JsguardOptions = Partial<Omit<ScriptOptions, 'sourceMap' | 'preset'>> & {
  preset?: Preset
  /** Equal seeds give equal builds. */
  seed?: number
  /** Chunks whose file names match; all without one. */
  include?: RegExp
  exclude?: RegExp
  /** A chunk that cannot be protected ends the build instead of staying as it is. */
  strict?: boolean
}

type Chunk = { type: 'chunk'; fileName: string; code: string; map: unknown }
type Bundle = Record<string, Chunk | { type: 'asset' }>
/** As much of a plugin of Vite or Rollup as is needed here: the plugin depends on neither. */
export type JsguardPlugin = {
  name: string
  apply: 'build'
  enforce: 'post'
  augmentChunkHash(): string
  generateBundle(
    this: { warn(message: string): void; error(message: string): never },
    options: unknown,
    bundle: Bundle,
  ): void
}

/**
 * Protects the chunks of a build after they were minified: import and export names stay, so chunks go on finding each other. The settings
 * are part of the hashes in file names. Source maps of protected chunks are left out, since they would ship the source.
 */
export function jsguard(given: JsguardOptions = {}): JsguardPlugin {
  const { preset = 'medium', seed = 1, include, exclude, strict = false, ...rest } = given
  const options: ScriptOptions = { ...SCRIPT_OPTIONS, ...rest, preset, sourceMap: false }
  return {
    name: 'appwarden-jsguard',
    apply: 'build',
    enforce: 'post',
    augmentChunkHash: () => JSON.stringify({ options, seed }),
    generateBundle(_options, bundle) {
      for (const [fileName, chunk] of Object.entries(bundle)) {
        if (chunk.type !== 'chunk' || (include && !include.test(fileName)) || exclude?.test(fileName)) continue
        try {
          const result = protectScript(Buffer.from(chunk.code), { name: fileName, options, seed })
          chunk.code = result.code
          if (chunk.map) {
            chunk.map = null
            delete bundle[`${fileName}.map`]
          }
          if (result.strength !== preset) this.warn(`${fileName} is too large for ${preset}: it got ${result.strength}`)
          if (result.leftOut.length > 0)
            this.warn(`${fileName}: parts that do not fit this code were left out: ${result.leftOut.join(', ')}`)
        } catch (error) {
          if (!(error instanceof ScriptRefused)) throw error
          const place = error.line > 0 ? `:${error.line}:${error.column}` : ''
          const message = `${fileName}${place} cannot be protected (${error.key}: ${error.message})`
          if (strict) this.error(message)
          this.warn(`${message}; it stays as it is`)
        }
      }
    },
  }
}
