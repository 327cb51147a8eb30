import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Dependency, Location, SdkResult } from '../result/scan-result.ts'
import { affecting, JAVA_COMPONENTS, NATIVE_COMPONENTS } from './known-vulnerabilities.ts'
import type { License } from './licenses.ts'
import { packageUrl } from './package-url.ts'
import { namedArtifacts } from './version-files.ts'

const MOST_DEPENDENCIES = 5000
const MOST_LOCATIONS = 20

type Text = { readonly value: string; readonly offset: number }
/** Constant texts of one binary. */
export type BinaryTexts = { readonly entry: string; readonly name: string; readonly texts: readonly Text[] }

type Found = Omit<Dependency, 'purl' | 'places' | 'licenses' | 'vulnerabilities'> & {
  readonly location: Location
  readonly licenses?: readonly License[]
}

/**
 * Third-party components: Maven artifacts named by version files (without a version where the build wrote none into the file), SDKs whose
 * version was read from code, and components that native libraries name in their texts. A version in a file wins over one in code. In the order of their package URLs.
 */
export function findDependencies(
  inspected: Pick<InspectedPackage, 'entries' | 'read'>,
  sdks: readonly SdkResult[],
  binaries: readonly BinaryTexts[],
): Dependency[] {
  const named = namedArtifacts(inspected).map(({ entry, ...artifact }): Found => {
    const { sdk } = javaComponent(artifact.group, artifact.name) ?? { sdk: null }
    return { ...artifact, sdk, technique: 'manifest-analysis', location: { entry, offset: 0 } }
  })
  const files = new Set(named.filter(({ version }) => version).map(artifactOf))
  const ofCode = sdks.flatMap((one) => sdkDependency(one, files))
  const inCode = new Set(ofCode.map(artifactOf))
  return merged([
    ...named.filter((one) => one.version || !inCode.has(artifactOf(one))),
    ...ofCode,
    ...binaries.flatMap(nativeDependencies),
  ])
}

const artifactOf = ({ group, name }: Pick<Found, 'group' | 'name'>): string => `${group}:${name}`

function sdkDependency({ id, name, version, evidence }: SdkResult, files: ReadonlySet<string>): Found[] {
  // Some SDKs leave the placeholder of their build in the code.
  if (version === null || /^0(?:\.0)*$/.test(version)) return []
  const artifact = JAVA_COMPONENTS.find(({ sdk }) => sdk === id)?.artifact
  if (artifact !== undefined && files.has(artifact)) return []
  const [group = '', short = ''] = artifact?.split(':') ?? []
  return [
    {
      group,
      name: short || name.en || name.zh,
      version,
      sdk: id,
      technique: 'binary-analysis',
      location: evidence[0] ?? { entry: '', offset: -1 },
    },
  ]
}

/** Components by the texts of one binary; the first version counts. */
export function nativeDependencies({ entry, name: library, texts }: BinaryTexts): Found[] {
  return NATIVE_COMPONENTS.flatMap(({ component, library: only, pattern }): Found[] => {
    if (only && !only.test(library)) return []
    for (const { value, offset } of texts) {
      const version = pattern.exec(value)?.[1]
      if (version)
        return [
          { group: '', name: component, version, sdk: null, technique: 'binary-analysis', location: { entry, offset } },
        ]
    }
    return []
  })
}

/** One dependency for each package URL, with all its locations. */
export function merged(found: readonly Found[]): Dependency[] {
  const byUrl = new Map<string, Dependency>()
  for (const one of found) {
    const purl = packageUrl(one.group, one.name, one.version)
    const known = byUrl.get(purl)
    if (!known && byUrl.size >= MOST_DEPENDENCIES) break
    byUrl.set(
      purl,
      known
        ? {
            ...known,
            places: [...known.places, one.location].slice(0, MOST_LOCATIONS),
            vulnerabilities: [...new Set([...known.vulnerabilities, ...vulnerabilitiesOf(one)])],
          }
        : made(one, purl),
    )
  }
  return [...byUrl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** The fields in the order of `DependencySchema`: a result that was read by its schema has the same bytes. */
function made(found: Found, purl: string): Dependency {
  const { group, name, version, technique, location, licenses = [], sdk } = found
  return {
    purl,
    group,
    name,
    version,
    technique,
    places: [location],
    licenses,
    sdk,
    vulnerabilities: vulnerabilitiesOf(found),
  }
}

function vulnerabilitiesOf({ group, name, version, location }: Found): string[] {
  const known = group ? javaComponent(group, name) : NATIVE_COMPONENTS.find(({ component }) => component === name)
  return known ? affecting(known.ranges, version, location.entry) : []
}

function javaComponent(group: string, name: string) {
  return JAVA_COMPONENTS.find(({ artifact }) => artifact === `${group}:${name}`)
}
