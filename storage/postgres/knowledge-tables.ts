import type { Generated, JSONColumnType } from 'kysely'
import type { OwnContent } from '#contracts/http/own-articles.ts'
import type { EntryState, StoredOrigin } from '#contracts/http/vulnerabilities.ts'

/** Tables of the vulnerability library and of articles of the organisation. */
export type KnowledgeTables = {
  /** `entry` is a Vulnerability of engines/vulnlib. */
  vulnerabilities: {
    number: string
    entry: unknown
    by_user: number | null
    added_at: number
    origin: Generated<StoredOrigin>
    state: Generated<EntryState>
    reviewed_by: number | null
    reviewed_at: number | null
  }
  /** Names of the products of an entry's ranges, as productKey of engines/vulnlib writes them. */
  vulnerability_products: { number: string; product: string }
  own_articles: {
    id: Generated<number>
    /** The newest version, when it was saved, and by whom. */
    version: number
    changed_at: number
    author: string
    /** The version that readers see. */
    published: number | null
    published_at: number | null
    published_by: Generated<string>
  }
  own_article_versions: {
    article_id: number
    number: number
    at: number
    by_user: number | null
    author: string
    /** The version that it took again. */
    restored: number | null
    content: JSONColumnType<OwnContent>
    /** Ids of the images that its Markdown names. */
    images: string[]
  }
  /** PNG and JPEG files that the product encoded. */
  own_article_images: {
    id: string
    sha256: string
    name: string
    type: 'png' | 'jpeg'
    width: number
    height: number
    bytes: number
    by_user: number | null
    created_at: number
  }
  /** One row. */
  own_article_revision: { only_row: boolean; revision: number }
}
