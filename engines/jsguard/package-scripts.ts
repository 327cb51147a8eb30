import type { ProtectedScript } from './protect-script.ts'
import { type ScriptFormat, scriptFormat } from './read-script.ts'
import { isScriptName } from './script-archive.ts'
import { ScriptRefused } from './script-refused.ts'

/** Which framework put a script into a package. */
export type ScriptFramework = 'uni-app' | 'cordova' | 'react-native' | 'web'

export interface PackageScript {
  readonly path: string
  readonly framework: ScriptFramework
}

/**
 * Where frameworks keep their scripts, in an APK and in an IPA. uni-app: assets/apps/<appid>/www (iOS: Pandora/apps/…); Cordova and
 * Capacitor: assets/www, assets/public (iOS: www, public); React Native: assets/*.bundle (iOS: main.jsbundle).
 */
const PLACES: readonly [RegExp, ScriptFramework][] = [
  [/^(assets|Payload\/[^/]+\.app\/Pandora)\/apps\/[^/]+\/www\/.+\.js$/i, 'uni-app'],
  [/^(assets|Payload\/[^/]+\.app)\/(www|public)\/.+\.(js|mjs)$/i, 'cordova'],
  [/^assets\/[^/]+\.(android\.)?(bundle|jsbundle)$/i, 'react-native'],
  [/^Payload\/[^/]+\.app\/[^/]+\.jsbundle$/i, 'react-native'],
  [/^(assets|Payload\/[^/]+\.app)\/.+\.(js|mjs)$/i, 'web'],
]

/** In a bundle (AAB) each module has its own folder, in which places are those of an APK. */
const BUNDLE = 'base/manifest/AndroidManifest.xml'

/** The entries of a package that are scripts by their place, in its order. */
export function findPackageScripts(paths: readonly string[]): PackageScript[] {
  const isBundle = paths.includes(BUNDLE)
  return paths.flatMap((path) => {
    const inModule = isBundle ? path.slice(path.indexOf('/') + 1) : path
    const place = PLACES.find(([pattern]) => pattern.test(inModule))
    return place ? [{ path, framework: place[1] }] : []
  })
}

/** What became of one script of a package. */
export type PackageScriptResult = PackageScript &
  (
    | { readonly outcome: 'protected'; readonly script: ProtectedScript }
    /** It stays as it is; `format` says that it is no text, `refusal` what the engine met. */
    | { readonly outcome: 'left'; readonly format: Exclude<ScriptFormat, 'script'> }
    | { readonly outcome: 'failed'; readonly refusal: ScriptRefused }
  )

/**
 * Protects the scripts of a package. Hermes bytecode and bundles with an index of modules are left alone and named; a script that cannot
 * be protected keeps its original and is named too. The caller puts the new bytes into the package and signs it.
 * @param protect `protectScript`, or a call of it in another process
 */
export async function protectPackageScripts(
  paths: readonly string[],
  read: (path: string) => Uint8Array,
  protect: (bytes: Uint8Array, path: string) => ProtectedScript | Promise<ProtectedScript>,
): Promise<PackageScriptResult[]> {
  const results: PackageScriptResult[] = []
  for (const script of findPackageScripts(paths)) {
    const bytes = read(script.path)
    const format = scriptFormat(bytes)
    if (format !== 'script') {
      results.push({ ...script, outcome: 'left', format })
      continue
    }
    try {
      // A React Native bundle is a script, whatever its name ends with.
      const name = isScriptName(script.path) ? script.path : `${script.path}.js`
      results.push({ ...script, outcome: 'protected', script: await protect(bytes, name) })
    } catch (error) {
      if (!(error instanceof ScriptRefused)) throw error
      results.push({ ...script, outcome: 'failed', refusal: error })
    }
  }
  return results
}
