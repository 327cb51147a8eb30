import { LEVEL_SHAPES } from '#domain/level-marks.ts'
import { LEVELS, LEVELS_BY_SEVERITY, type Level } from '#domain/levels.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { loginTexts } from './login-texts.ts'

const COLUMNS = 18
const ROWS = 14
const STEP = 44
const SIZE = 10

/** The trail in the picture: column, row, level. What the product does, in one line. */
const TRAIL: readonly (readonly [number, number, Level])[] = [
  [3, 10, 'low'],
  [6, 8, 'medium'],
  [7, 8, 'medium'],
  [9, 5, 'high'],
  [13, 4, 'critical'],
]

/** A fixed pattern, not data: which quiet shape is where. */
function quietShape(column: number, row: number): Level {
  const number = (column * 7 + row * 13 + ((column * row) % 5) * 3) % 10
  return number < 4 ? 'low' : number < 8 ? 'info' : 'medium'
}

const at = (column: number, row: number) => [column * STEP + STEP / 2, row * STEP + STEP / 2] as const

export function LoginPicture() {
  const t = useTexts(loginTexts)
  const language = useLanguage()
  const last = TRAIL.at(-1) as (typeof TRAIL)[number]
  const [x, y] = at(last[0], last[1])
  return (
    <aside className="flex min-w-0 flex-col justify-between overflow-hidden border-l bg-canvas px-16 pt-20 pb-8 max-lg:hidden">
      <svg
        viewBox={`0 0 ${COLUMNS * STEP} ${ROWS * STEP}`}
        aria-hidden="true"
        className="mb-10 min-h-0 w-full flex-1"
        preserveAspectRatio="xMinYMid meet"
      >
        {Array.from({ length: COLUMNS * ROWS }, (_, index) => {
          const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)]
          if (TRAIL.some(([c, r]) => c === column && r === row)) return null
          return <Shape key={`${column}-${row}`} column={column} row={row} level={quietShape(column, row)} />
        })}
        <polyline
          points={TRAIL.map(([column, row]) => at(column, row).join()).join(' ')}
          fill="none"
          stroke="var(--brand)"
          strokeWidth="1.2"
        />
        <circle cx={x} cy={y} r="15" fill="var(--canvas)" stroke="var(--brand)" strokeWidth="1.4" />
        {TRAIL.map(([column, row, level]) => (
          <Shape key={`${column}-${row}-on`} column={column} row={row} level={level} on />
        ))}
      </svg>
      <div>
        <p className="text-20 font-semibold">{t('slogan')}</p>
        <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-12 text-muted" aria-hidden>
          {LEVELS_BY_SEVERITY.map((level) => (
            <li key={level} className="flex items-center gap-1.5">
              <LevelMark level={level} word={false} size={9} />
              {LEVELS[level][language]}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  )
}

function Shape({ column, row, level, on = false }: { column: number; row: number; level: Level; on?: boolean }) {
  const [x, y] = at(column, row)
  const scale = on ? 1.15 : 1
  return (
    <path
      d={LEVEL_SHAPES[level]}
      transform={`translate(${x - (SIZE * scale) / 2} ${y - (SIZE * scale) / 2}) scale(${scale})`}
      fill={on ? `var(--level-${level})` : 'none'}
      stroke={on ? 'var(--canvas)' : 'var(--line-strong)'}
      strokeWidth={on ? 3 : 1}
      paintOrder="stroke"
    />
  )
}
