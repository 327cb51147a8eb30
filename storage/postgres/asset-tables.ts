import type { Generated, JSONColumnType } from 'kysely'
import type { ApplicationType, FileType } from '#contracts/detection/kinds.ts'
import type { PackageFacts } from '#contracts/http/assets.ts'

/** Tables of the asset center. */
export type AssetTables = {
  /** One uploaded package. */
  app_files: {
    id: Generated<number>
    /** null: a library or package of no application; its uploader and those who see all see it. */
    application_id: number | null
    by_user: number | null
    name: string
    file_name: string
    version: string
    version_code: string
    size: number
    md5: string
    /** Name in the file store. */
    sha256: string
    package_name: string
    /** Container as it was read: apk, apks, xapk, aab, aar, jar, so, ipa. */
    kind: string
    file_type: FileType
    platform: 'android' | 'ios'
    type: ApplicationType | ''
    protection: 'unreinforced' | 'reinforced'
    packer: string
    /** SHA-256 of the signing certificates, lower-case hex. */
    signers: string[]
    signature: 'verified' | 'partial' | 'broken' | 'unsigned' | 'unknown'
    /** PNG in the file store. */
    icon: string | null
    /** The baseline that it was pushed as. */
    baseline_id: string | null
    facts: JSONColumnType<PackageFacts>
    uploaded_at: number
  }
}
