import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { DIMENSIONS, type Filter, type Query, type TopAnswer } from '#domain/query.ts'
import { formatExact, formatPercent } from '../../../../shared/format/number.ts'
import { addFilter, carryQuery } from '../../../../shared/query/query-url.ts'
import { useStatistics } from '../../../../shared/query/use-statistics.ts'
import { useBeat } from '../header.tsx'
import { useWall } from '../wall-context.ts'
import { STORY_FIELDS, type Story, type StoryField, storiesOf, storyAt } from './stories.ts'

const part = (by: StoryField) => ({
  kind: 'top' as const,
  by,
  measures: ['attacks' as const, 'blocked' as const],
  limit: 20,
})

/** On a wall that is not in use: what rose most in the last hour, in large type, with a link where there is a session. */
export default function StoryCard({ filters, linked, now }: { filters: Filter[]; linked: boolean; now: () => number }) {
  const { t, language, nameOf } = useWall()
  const query: Query = { range: '-1h', timeBasis: 'received', compare: 'previous', filters }
  const answer = useStatistics(query, { city: part('city'), risk: part('risk'), app: part('app') })
  const answers = new Map<StoryField, TopAnswer>()
  for (const field of STORY_FIELDS) {
    const one = answer.part(field)
    if (one.kind === 'ready') answers.set(field, one.answer)
  }
  const story = storyAt(storiesOf(answers), useBeat(now))
  // Old counts are not those of the last hour.
  if (!story || answer.state === 'stale') return null
  const top = Math.max(story.now, story.before)
  return (
    <section className="wall-story" data-obstacle aria-label={t('story')} key={`${story.field} ${story.key}`}>
      <small>
        {t('storyHour')} · {DIMENSIONS[story.field][language]}
      </small>
      <h3>{nameOf(story.field, story.key)}</h3>
      <p className="wall-story-count">
        <b>+{formatExact(story.now - story.before)}</b>
        <span>{t('storyBlocked', { share: formatPercent(story.now ? story.blocked / story.now : 0) })}</span>
      </p>
      {(['now', 'before'] as const).map((which) => (
        <p key={which} className="wall-story-bar">
          <span>{t(which === 'now' ? 'storyNow' : 'storyBefore')}</span>
          <i style={{ flexGrow: story[which] / top }} data-which={which} />
          <b>{formatExact(story[which])}</b>
          <i style={{ flexGrow: 1 - story[which] / top, background: 'none' }} />
        </p>
      ))}
      {linked && (
        <Link className="wall-button" to={linkOf(story, query)}>
          {t('openAnalysis')}
        </Link>
      )}
    </section>
  )
}

const linkOf = ({ field, key }: Story, query: Query) =>
  `${PAGES.attack_analysis.path}?${carryQuery({ ...query, filters: addFilter(query.filters, field, [key], false) })}`
