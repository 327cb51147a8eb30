import { plistText } from '../../plist/plist-node.ts'
import { merged, nativeDependencies } from '../dependencies/find-dependencies.ts'
import type { Dependency } from '../result/scan-result.ts'
import type { IosContext } from './ios-context.ts'

/** Embedded frameworks with the version of their bundle, and native components that executables name in their texts. */
export function iosDependencies({ binaries, sdks }: Pick<IosContext, 'binaries' | 'sdks'>): Dependency[] {
  const frameworks = binaries.flatMap(({ entry, binary, owner }) => {
    const version = plistText(binary.info?.node, 'CFBundleShortVersionString')
    if (!version || !/\.framework\//.test(entry) || owner.kind === 'own') return []
    const sdk = sdks.find(({ id }) => id === owner.sdk)?.id ?? null
    return [
      {
        group: '',
        name: binary.name,
        version,
        sdk,
        technique: 'manifest-analysis' as const,
        location: { entry: binary.info?.entry ?? entry, offset: -1, path: 'CFBundleShortVersionString' },
      },
    ]
  })
  const named = new Set(frameworks.map(({ name }) => name.toLowerCase()))
  const native = binaries
    .flatMap(({ entry, binary, strings }) => nativeDependencies({ entry, name: binary.name, texts: strings }))
    .filter(({ name }) => !named.has(name.toLowerCase()))
  return merged([...frameworks, ...native])
}
