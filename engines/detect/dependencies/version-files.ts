import type { InspectedPackage } from '../input/inspected-package.ts'
import { type License, licensesOfPom } from './licenses.ts'

/** A Maven artifact that a file of the package names. */
export interface NamedArtifact {
  readonly group: string
  readonly name: string
  /** '' where the build left a placeholder in the file. */
  readonly version: string
  readonly entry: string
  readonly licenses: readonly License[]
}

const LARGEST_FILE = 65_536
const VERSION = /^v?\d[\w.+-]{0,60}$/
/** Bundles keep these files below a module. */
const ROOT = '(?:[\\w.-]+/root/)?'
const SHORT = new RegExp(`^${ROOT}META-INF/([A-Za-z0-9.-]+)_([\\w.-]+)\\.version$`)
const MAVEN = new RegExp(`^(${ROOT}META-INF/maven/([\\w.-]+)/([\\w.-]+)/)pom\\.properties$`)
const CLIENT = new RegExp(`^${ROOT}([\\w.-]+)\\.properties$`)

/** `kotlinx_coroutines_core`: written by the library itself, with its name in place of coordinates. */
const COROUTINES = /^kotlinx_(coroutines_\w+)$/
/** Groups of Google's libraries, whose files have the artifact's name only. */
const CLIENT_GROUPS: readonly (readonly [pattern: RegExp, group: string])[] = [
  [/^play-services-/, 'com.google.android.gms'],
  [/^firebase-/, 'com.google.firebase'],
  [/^transport-/, 'com.google.android.datatransport'],
  [/^billing(-ktx)?$/, 'com.android.billingclient'],
  [/^(integrity|review|app-update|feature-delivery|asset-delivery|core-common)(-ktx)?$/, 'com.google.android.play'],
  [/^user-messaging-platform$/, 'com.google.android.ump'],
  [/^(barcode-scanning|face-detection|text-recognition|vision-common|vision-interfaces)/, 'com.google.mlkit'],
]

/** Artifacts by the files that Gradle, Maven and Google's build leave in a package; each version file once. */
export function namedArtifacts({ entries, read }: Pick<InspectedPackage, 'entries' | 'read'>): NamedArtifact[] {
  const textOf = (name: string) => Buffer.from(read(name) ?? []).toString('utf8')
  return entries.flatMap(({ name, size }): NamedArtifact[] => {
    if (size > LARGEST_FILE || !/\.(version|properties)$/.test(name)) return []
    const maven = MAVEN.exec(name)
    if (maven) {
      const [, folder, group = '', artifact = ''] = maven
      const version = propertyOf(textOf(name), 'version')
      return artifactOf({ group, name: artifact, version, entry: name }, licensesOfPom(pomOf(`${folder}pom.xml`)))
    }
    const found = SHORT.exec(name)
    if (found) {
      const [, first = '', second = ''] = found
      const coroutines = COROUTINES.exec(`${first}_${second}`)?.[1]?.replaceAll('_', '-')
      const group = coroutines ? 'org.jetbrains.kotlinx' : first
      const artifact = coroutines ? `kotlinx-${coroutines}` : second
      if (!group.includes('.')) return []
      const version = textOf(name).trim()
      return [{ group, name: artifact, version: VERSION.test(version) ? version : '', entry: name, licenses: [] }]
    }
    const client = CLIENT.exec(name)?.[1]
    const group = client && CLIENT_GROUPS.find(([pattern]) => pattern.test(client))?.[1]
    return client && group
      ? artifactOf({ group, name: client, version: propertyOf(textOf(name), 'version'), entry: name })
      : []
  })

  function pomOf(name: string): string {
    const entry = entries.find((one) => one.name === name)
    return entry && entry.size <= LARGEST_FILE ? textOf(name) : ''
  }
}

function propertyOf(text: string, key: string): string {
  return new RegExp(`^${key}\\s*[=:]\\s*(\\S+)`, 'm').exec(text)?.[1] ?? ''
}

function artifactOf(artifact: Omit<NamedArtifact, 'licenses'>, licenses: readonly License[] = []): NamedArtifact[] {
  return VERSION.test(artifact.version) ? [{ ...artifact, licenses }] : []
}
