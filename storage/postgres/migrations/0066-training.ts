import { type Kysely, sql } from 'kysely'

/** Training: articles read, attempts at the questions of a lesson with their answers, certificates, assignments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table training_reads (
    user_id int not null references users(id) on delete cascade, course text not null, article text not null,
    read_at int8 not null, primary key (user_id, course, article))`)
  await run(`create table training_attempts (
    id bigserial primary key, user_id int not null references users(id) on delete cascade, course text not null,
    lesson text not null, number int not null, questions int not null, correct int not null default 0,
    started_at int8 not null, ended_at int8, unique (user_id, course, lesson, number))`)
  await run('create index training_attempts_course on training_attempts (course)')
  await run(`create table training_answers (
    attempt_id int8 not null references training_attempts(id) on delete cascade, question text not null,
    choice int not null, correct boolean not null, answered_at int8 not null, primary key (attempt_id, question))`)
  await run(`create table training_certificates (
    number text primary key, user_id int not null references users(id) on delete cascade, course text not null,
    title jsonb not null, minutes int not null, score int not null, issued_at int8 not null, expires_at int8 not null)`)
  await run('create index training_certificates_user on training_certificates (user_id, course)')
  await run(`create table training_assignments (
    course text not null, user_id int not null references users(id) on delete cascade, due_at int8,
    assigned_by int references users(id) on delete set null, assigned_at int8 not null, primary key (course, user_id))`)
}

/** The version before has no training; no row of its own tables goes. */
export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['assignments', 'certificates', 'answers', 'attempts', 'reads'])
    await sql.raw(`drop table training_${table}`).execute(db)
}
