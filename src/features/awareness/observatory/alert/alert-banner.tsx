import { Bell, BellOff, BellRing } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Dimension } from '#domain/query.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import {
  againstText,
  conditionText,
  lastWindowText,
  togetherText,
  windowOfAlert,
} from '../../../../shared/alerts/alert-words.ts'
import { formatExact } from '../../../../shared/format/number.ts'
import { formatDuration } from '../../../../shared/format/time.ts'
import { useTexts } from '../../../../shared/i18n/texts.ts'
import { useBeat } from '../header.tsx'
import { LevelGlyph } from '../level-glyph.tsx'
import { clockTime, useWall } from '../wall-context.ts'
import { SHOWN_MS } from './alert-queue.ts'
import { chooseSound, SOUNDS, unlock, useSound } from './alert-sound.ts'
import { alertWallTexts } from './alert-wall-texts.ts'
import type { AlertNumbers, WallAlert } from './use-wall-alert.ts'

/** The alert whose turn it is: what, how much against which limit, since when, and what can be done. Its foot line is the time left. */
export function AlertBanner({ shown, now, jumps }: { shown: WallAlert; now: () => number; jumps: boolean }) {
  const t = useTexts(alertWallTexts)
  const { language, zone, nameOf } = useWall()
  const { alert, siblings, until, acknowledge, stay, leave } = shown
  const at = useBeat(now)
  const left = until === null ? 1 : Math.max(0, Math.min(1, (until - at) / SHOWN_MS))
  const over = alert.state === 'resolved'
  return (
    <section
      className="wall-alert"
      data-obstacle
      data-level={alert.severity}
      aria-label={t('alerts')}
      data-testid="alert-banner"
    >
      <LevelGlyph level={alert.severity} />
      <div className="wall-alert-what" role="alert">
        <small>
          {t('kind', { level: LEVELS[alert.severity][language] })}
          {over && ` · ${t('over')}`}
        </small>
        <b>
          {alert.rule.name}
          {alert.by && <span>{nameOf(alert.by, alert.key)}</span>}
          {alert.by && siblings.length > 0 && (
            <span
              className="wall-muted"
              title={siblings.map(({ key }) => nameOf(alert.by as Dimension, key)).join(', ')}
            >
              {togetherText(alert.by, siblings.length + 1, language)}
            </span>
          )}
        </b>
        <small>
          {t('rule', { text: conditionText(alert.condition, alert.measure, windowOfAlert(alert), language) })}
        </small>
      </div>
      <div className="wall-alert-value">
        <strong data-testid="alert-value">{formatExact(alert.value)}</strong>
        <small>
          {lastWindowText(alert, language)}
          <br />
          {againstText(alert)}
        </small>
      </div>
      <div className="wall-alert-since">
        <b>{t('lasts', { time: formatDuration((over ? alert.to : at) - alert.from, language) })}</b>
        <small>{t('since', { time: clockTime(alert.from, zone) })}</small>
      </div>
      <div className="wall-alert-keys">
        {acknowledge && (
          <button type="button" onClick={acknowledge}>
            <kbd>A</kbd> {t('acknowledge')}
          </button>
        )}
        <button type="button" onClick={stay}>
          <kbd>S</kbd> {t(until === null ? 'staying' : 'stay')}
          {until !== null && (
            <small>{t(jumps ? 'returns' : 'closes', { seconds: Math.ceil((left * SHOWN_MS) / 1000) })}</small>
          )}
        </button>
        <button type="button" className="sr-only" onClick={leave}>
          {t('leave')}
        </button>
      </div>
      <i style={{ width: `${left * 100}%` }} />
    </section>
  )
}

/** Counts of all and of unseen alerts, in the head of the wall; and whether this screen plays sounds. */
export function AlertCount({ numbers, to }: { numbers: AlertNumbers | null; to: string | null }) {
  const t = useTexts(alertWallTexts)
  const { language } = useWall()
  const quiet = numbers !== null && numbers.firing > 0
  const content = (
    <>
      <span className="wall-muted">{t('alerts')}</span>
      {numbers?.highest && <LevelGlyph level={numbers.highest} label={LEVELS[numbers.highest][language]} />}
      <b data-testid="alerts-firing">{numbers ? formatExact(numbers.firing) : '–'}</b>
      {numbers && numbers.unacknowledged > 0 && (
        <span>
          {numbers.unacknowledged < numbers.firing
            ? t('unacknowledged', { count: numbers.unacknowledged })
            : t('noneAcknowledged')}
        </span>
      )}
    </>
  )
  return (
    <span className="wall-item">
      {to ? (
        <Link className="wall-item" data-pill={quiet || undefined} to={to}>
          {content}
        </Link>
      ) : (
        <span className="wall-item" data-pill={quiet || undefined}>
          {content}
        </span>
      )}
      <SoundButton />
    </span>
  )
}

/** A bell struck through is silent. */
const ICONS = { off: BellOff, critical: Bell, all: BellRing }

/** Goes to the next policy; where the browser holds sound back it says so, and a press lets it through. */
function SoundButton() {
  const t = useTexts(alertWallTexts)
  const { policy, blocked } = useSound()
  const Icon = ICONS[policy]
  const next = SOUNDS[(SOUNDS.indexOf(policy) + 1) % SOUNDS.length] ?? 'off'
  const label = `${t('sound')}: ${t(`sound_${policy}`)}`
  return (
    <>
      <button
        type="button"
        className="wall-sound"
        aria-label={label}
        title={label}
        onClick={() => (blocked ? void unlock() : chooseSound(next))}
      >
        <Icon size="1em" strokeWidth={1.6} aria-hidden />
        {policy !== 'off' && <span className="wall-sound-word">{t(`sound_${policy}`)}</span>}
      </button>
      {blocked && policy !== 'off' && (
        <span className="wall-amber" role="status">
          {t('blocked')}
        </span>
      )}
    </>
  )
}
