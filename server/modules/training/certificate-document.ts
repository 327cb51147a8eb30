import type { Block, LabelledText } from '#engines/report/document.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import type { Course } from './read-courses.ts'
import type { CertificateRow } from './training-store.ts'

const TEXTS = {
  title: { zh: '结业证书', en: 'Certificate' },
  holder: { zh: '持有人', en: 'Holder' },
  course: { zh: '课程', en: 'Course' },
  minutes: { zh: '学时', en: 'Length' },
  minute: { zh: '分钟', en: 'minutes' },
  score: { zh: '成绩', en: 'Score' },
  issued: { zh: '颁发日期', en: 'Issued' },
  until: { zh: '有效期至', en: 'Valid until' },
  number: { zh: '证书编号', en: 'Number' },
  contents: { zh: '课程内容', en: 'Contents of the course' },
  lesson: { zh: '课', en: 'Lesson' },
  questions: { zh: '题', en: 'Questions' },
  check: { zh: '怎样核验', en: 'How to check it' },
  how: {
    zh: '登录颁发平台，打开“知识 / 培训”，点“核验证书”，输入证书编号。平台显示持有人、课程、成绩与有效期；与本页不一致或查不到的，不是本平台颁发的证书。',
    en: 'Sign in to the platform that issued it, open Knowledge / Training, choose Check a certificate and enter the number. The platform shows holder, course, score and validity; where these differ from this page or nothing is found, this platform did not issue it.',
  },
} as const

/** A certificate as a document of the reports. `course`: as the repository has it now; undefined: it was taken out since. */
export function certificateDocument(
  row: CertificateRow,
  { language, zone, course }: { language: 'zh' | 'en'; zone: string; course: Course | undefined },
): { title: string; subject: string; cover: LabelledText[]; blocks: Block[] } {
  const t = (key: keyof typeof TEXTS) => TEXTS[key][language]
  const day = (at: number) => zonedTime(at, zone).slice(0, 10)
  const facts: LabelledText[] = [
    { label: t('holder'), text: row.username },
    { label: t('course'), text: row.title[language] },
    { label: t('minutes'), text: `${row.minutes} ${t('minute')}` },
    { label: t('score'), text: language === 'zh' ? `${row.score} 分` : `${row.score} %` },
    { label: t('issued'), text: day(row.issued_at) },
    { label: t('until'), text: day(row.expires_at) },
    { label: t('number'), text: row.number },
  ]
  const contents: Block[] = course
    ? [
        { kind: 'heading', level: 1, text: t('contents') },
        {
          kind: 'table',
          columns: [
            { title: t('lesson'), share: 6 },
            { title: language === 'zh' ? '分钟' : 'Minutes', share: 1, align: 'right' },
            { title: t('questions'), share: 1, align: 'right' },
          ],
          rows: course.lessons.map((lesson) => [
            lesson[language],
            String(lesson.minutes),
            String(lesson.questions.length),
          ]),
        },
      ]
    : []
  return {
    title: t('title'),
    subject: row.title[language],
    cover: facts,
    blocks: [
      ...contents,
      { kind: 'heading', level: 1, text: t('check') },
      { kind: 'text', text: t('how') },
      { kind: 'labelled', label: t('number'), text: row.number },
    ],
  }
}
