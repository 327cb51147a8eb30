import { escaped, htmlPage, inside, type MarketShape, request, rule, type ShapeOptions } from './market-page.ts'

const json = (body: unknown) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(body) })
const numberOf = (parameters: URLSearchParams, name: string, otherwise: number) =>
  Number(parameters.get(name) ?? otherwise)
const people = (downloads: number) =>
  downloads >= 10_000 ? `${(downloads / 10_000).toFixed(1)}万次下载` : `${downloads}次下载`

/** Pages of a store as an interface: a list with what the page of an application needs. */
const storeJson = ({ prefix }: ShapeOptions): MarketShape => ({
  charset: 'utf-8',
  connector: (origin) => ({
    kind: 'json',
    ...request(`${origin}/${prefix}/search?kw={keyword}&page={page}`, 'utf-8'),
    items: `${prefix}_data.list`,
    fields: {
      name: rule('app.title'),
      package: rule('app.id'),
      version: rule('app.ver'),
      downloads: rule('stat.dl'),
      download: rule('links[0].href'),
      developer: rule('app.by'),
    },
    detail: null,
  }),
  answer: (path, parameters, shown, origin) =>
    path === `/${prefix}/search`
      ? json({
          [`${prefix}_data`]: {
            list: shown(parameters.get('kw') ?? '', numberOf(parameters, 'page', 1)).offers.map(({ id, offer }) => ({
              app: { title: offer.name, id: offer.package, ver: offer.version, by: offer.developer },
              stat: { dl: offer.downloads },
              links: [{ href: `${origin}/file/${id}` }],
            })),
          },
        })
      : undefined,
})

/** An interface that answers as the call of a function, counts from 0 and names files by relative addresses. */
const storeJsonp = ({ prefix }: ShapeOptions): MarketShape => ({
  charset: 'utf-8',
  connector: (origin) => ({
    kind: 'json',
    ...request(`${origin}/${prefix}.js?cb=show&q={keyword}&start={page}`, 'utf-8', 3, '', 0),
    items: 'rows',
    fields: { name: rule('[0]'), package: rule('[1]'), version: rule('[2]', '', 'V([\\d.]+)'), download: rule('[3]') },
    detail: null,
  }),
  answer: (path, parameters, shown) => {
    if (path !== `/${prefix}.js`) return undefined
    const { offers } = shown(parameters.get('q') ?? '', numberOf(parameters, 'start', 0) + 1)
    const rows = offers.map(({ id, offer }) => [offer.name, offer.package, `V${offer.version}`, `/file/${id}`])
    return { type: 'text/javascript; charset=utf-8', body: `show(${JSON.stringify({ rows })});` }
  },
})

/** Cards with everything on them. */
const cards = (options: ShapeOptions): MarketShape => {
  const { prefix, charset } = options
  return {
    charset,
    connector: (origin) => ({
      kind: 'html',
      ...request(`${origin}/${prefix}/s?wd={keyword}&p={page}`, charset),
      items: `div.${prefix}-card`,
      fields: {
        name: rule(`.${prefix}-name`),
        package: rule('', 'data-pkg'),
        version: rule(`.${prefix}-meta`, '', '版本[:：]\\s*([\\d.]+)'),
        downloads: rule(`.${prefix}-meta`, '', '([\\d.]+万?)次下载'),
        download: rule(`a.${prefix}-get`, 'href'),
      },
      detail: null,
    }),
    answer: (path, parameters, shown) =>
      path === `/${prefix}/s`
        ? htmlPage(
            '搜索',
            inside(
              shown(parameters.get('wd') ?? '', numberOf(parameters, 'p', 1))
                .offers.map(
                  ({ id, offer }) =>
                    `<div class="${prefix}-card hot" data-pkg="${escaped(offer.package)}"><b class="${prefix}-name">${escaped(offer.name)}</b>` +
                    `<p class=${prefix}-meta>版本：${escaped(offer.version)} | ${people(offer.downloads)}<a class='${prefix}-get' href=/file/${id}>下载</a></div>`,
                )
                .join('\n'),
              options,
            ),
            options,
          )
        : undefined,
  }
}

/** A table of an old site; the page of an application says the package, and its link is a redirect. */
const oldTable = (options: ShapeOptions): MarketShape => {
  const { prefix, charset } = options
  return {
    charset,
    connector: (origin) => ({
      kind: 'html',
      ...request(`${origin}/soft/${prefix}.asp?key={keyword}&pageno={page}`, charset),
      items: `table#${prefix} tr`,
      fields: {
        name: rule('td:nth-child(1)'),
        page: rule('td:nth-child(1) a', 'href'),
        downloads: rule('td:nth-child(3)'),
      },
      detail: {
        kind: 'html',
        fields: {
          package: rule(`li.${prefix}p`, '', '包名\\s*[:：]\\s*([\\w.]+)'),
          version: rule(`li.${prefix}v`, '', '([\\d.]+)'),
          download: rule(`a.${prefix}d`, 'href'),
        },
      },
    }),
    answer: (path, parameters, shown) => {
      if (path === `/soft/${prefix}.asp`) {
        const { offers } = shown(parameters.get('key') ?? '', numberOf(parameters, 'pageno', 1))
        const rows = offers.map(
          ({ id, offer }) =>
            `<tr><td><a href="/soft/${prefix}/${id}.html">${escaped(offer.name)}</a><td>安卓<td align=right>${offer.downloads}`,
        )
        return htmlPage('软件搜索', `<table id=${prefix} border=0>${rows.join('')}</table>`, options)
      }
      const id = new RegExp(`^/soft/${prefix}/(\\d+)\\.html$`).exec(path)?.[1]
      const one = id === undefined ? undefined : shown('', 0).offers.find((each) => each.id === Number(id))
      return (
        one &&
        htmlPage(
          one.offer.name,
          `<ul><li class=${prefix}p>包名：${escaped(one.offer.package)}<li class=${prefix}v>版本 ${escaped(one.offer.version)}</ul><a class=${prefix}d href="/go/${id}">本地下载</a>`,
          options,
        )
      )
    },
  }
}

/** A search that is a posted form. */
const postedForm = (options: ShapeOptions): MarketShape => {
  const { prefix, charset } = options
  return {
    charset,
    connector: (origin) => ({
      kind: 'html',
      ...request(`${origin}/${prefix}/find`, charset, 2, 'text={keyword}&no={page}'),
      items: `ul.${prefix} > li`,
      fields: { name: rule('a'), package: rule('code'), download: rule('a', 'href'), version: rule('em') },
      detail: null,
    }),
    answer: (path, parameters, shown) =>
      path === `/${prefix}/find`
        ? htmlPage(
            'find',
            inside(
              `<ul class=${prefix}>${shown(parameters.get('text') ?? '', numberOf(parameters, 'no', 1))
                .offers.map(
                  ({ id, offer }) =>
                    `<li><a href="../file/${id}">${escaped(offer.name)}</a> <code>${offer.package}</code><em>${offer.version}</em>`,
                )
                .join('')}</ul>`,
              options,
            ),
            options,
          )
        : undefined,
  }
}

const feedOf = (entries: string, atom: boolean) =>
  atom
    ? {
        type: 'application/atom+xml',
        body: `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>`,
      }
    : {
        type: 'application/rss+xml',
        body: `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>new</title>${entries}</channel></rss>`,
      }

/** A feed of what is new, whatever is looked for; the page of an entry has the file. */
const feed =
  (atom: boolean) =>
  (options: ShapeOptions): MarketShape => {
    const { prefix } = options
    return {
      charset: 'utf-8',
      connector: (origin) => ({
        kind: 'rss',
        ...request(`${origin}/${prefix}/new.xml`, 'utf-8', 1),
        items: '',
        fields: {},
        detail: { kind: 'html', fields: { download: rule(`.${prefix}-dl a`, 'href'), version: rule(`.${prefix}-v`) } },
      }),
      answer: (path, _, shown) => {
        const all = shown('', 0).offers
        if (path === `/${prefix}/new.xml`)
          return feedOf(
            all
              .map(({ id, offer }) =>
                atom
                  ? `<entry><title>${escaped(offer.name)}</title><link rel="alternate" href="/${prefix}/t/${id}"/><updated>2026-11-20T08:00:00Z</updated></entry>`
                  : `<item><title><![CDATA[${offer.name}]]></title><link>/${prefix}/t/${id}</link><pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate></item>`,
              )
              .join(''),
            atom,
          )
        const id = new RegExp(`^/${prefix}/t/(\\d+)$`).exec(path)?.[1]
        const one = id === undefined ? undefined : all.find((each) => each.id === Number(id))
        return (
          one &&
          htmlPage(
            one.offer.name,
            `<p class=${prefix}-v>${one.offer.version}<div class="${prefix}-dl"><a href="/file/${id}">APK</a></div>`,
            { ...options, charset: 'utf-8' },
          )
        )
      },
    }
  }

/** No search at all: a sitemap with the pages of all applications. */
const sitemap = (options: ShapeOptions): MarketShape => {
  const { prefix, charset } = options
  return {
    charset,
    connector: (origin) => ({
      kind: 'sitemap',
      ...request(`${origin}/sitemap-${prefix}.xml`, charset, 1),
      contains: `/${prefix}-app/`,
      detail: {
        kind: 'html',
        fields: {
          name: rule('h1'),
          package: rule(`meta[name="${prefix}:id"]`, 'content'),
          version: rule('dd:nth-child(2)'),
          download: rule('a[data-apk]', 'data-apk'),
        },
      },
    }),
    answer: (path, _, shown, origin) => {
      const all = shown('', 0).offers
      if (path === `/sitemap-${prefix}.xml`)
        return {
          type: 'application/xml',
          body: `<?xml version="1.0"?><urlset><url><loc>${origin}/about</loc></url>${all.map(({ id }) => `<url><loc>${origin}/${prefix}-app/${id}</loc></url>`).join('')}</urlset>`,
        }
      const id = new RegExp(`^/${prefix}-app/(\\d+)$`).exec(path)?.[1]
      const one = id === undefined ? undefined : all.find((each) => each.id === Number(id))
      return (
        one &&
        htmlPage(
          one.offer.name,
          `<meta name="${prefix}:id" content="${escaped(one.offer.package)}"><h1>${escaped(one.offer.name)}</h1><dl><dt>V<dd>${escaped(one.offer.version)}</dl><a data-apk="/file/${id}" href="javascript:void(0)">get</a>`,
          options,
        )
      )
    },
  }
}

/** A shared folder: names of files and nothing else. */
const sharedFolder = ({ prefix }: ShapeOptions): MarketShape => ({
  charset: 'utf-8',
  connector: (origin) => ({
    kind: 'json',
    ...request(`${origin}/share/${prefix}/list?order=time&page={page}`, 'utf-8', 2),
    items: 'result.entries[*]',
    fields: {
      name: rule('server_filename', '', '^(.+?)[_-][\\d.]+\\.apk$'),
      version: rule('server_filename', '', '[_-]([\\d.]+)\\.apk$'),
      download: rule('dlink'),
    },
    detail: null,
  }),
  answer: (path, parameters, shown) => {
    if (path !== `/share/${prefix}/list`) return undefined
    const { offers } = shown('', numberOf(parameters, 'page', 1))
    const entries = Object.fromEntries(
      offers.map(({ id, offer }) => [
        `fs${id}`,
        { server_filename: `${offer.name}_${offer.version}.apk`, dlink: `/file/${id}?sign=${prefix}` },
      ]),
    )
    return json({ errno: 0, result: { entries } })
  },
})

/** Threads of a forum; the file is an attachment behind the first post. */
const forum = (options: ShapeOptions): MarketShape => {
  const { prefix, charset } = options
  return {
    charset,
    connector: (origin) => ({
      kind: 'html',
      ...request(`${origin}/search.php?srchtxt={keyword}&page={page}`, charset),
      items: `#threadlist .${prefix}-row`,
      fields: {
        name: rule('a.xst', '', '^(?:\\[[^\\]]*\\])?\\s*(.+?)\\s*(?:破解版|去广告版|官方版)?$'),
        page: rule('a.xst', 'href'),
        developer: rule('cite'),
      },
      detail: {
        kind: 'html',
        fields: {
          download: rule('ignore_js_op a[href*="attachment"], p.attnm a', 'href'),
          version: rule('.postmessage', '', 'v([\\d.]+)'),
        },
      },
    }),
    answer: (path, parameters, shown) => {
      if (path === '/search.php') {
        const { offers } = shown(parameters.get('srchtxt') ?? '', numberOf(parameters, 'page', 1))
        return htmlPage(
          '论坛',
          `<div id=threadlist>${offers.map(({ id, offer }) => `<div class="${prefix}-row"><a class=xst href="thread-${id}-1-1.html">[安卓]${escaped(offer.name)} 破解版</a><cite>${escaped(offer.developer)}</cite></div>`).join('')}</div>`,
          options,
        )
      }
      const id = /^\/thread-(\d+)-1-1\.html$/.exec(path)?.[1]
      const one = id === undefined ? undefined : shown('', 0).offers.find((each) => each.id === Number(id))
      return (
        one &&
        htmlPage(
          one.offer.name,
          `<div class=postmessage>v${escaped(one.offer.version)} 亲测可用</div><p class="attnm"><a href="/file/${id}">附件.apk</a>`,
          options,
        )
      )
    },
  }
}

export const SHAPES = {
  'store-json': storeJson,
  'store-jsonp': storeJsonp,
  cards,
  'old-table': oldTable,
  'posted-form': postedForm,
  rss: feed(false),
  atom: feed(true),
  sitemap,
  'shared-folder': sharedFolder,
  forum,
} as const satisfies Readonly<Record<string, (options: ShapeOptions) => MarketShape>>
export type ShapeName = keyof typeof SHAPES
