import { type Kysely, sql } from 'kysely'

/** Protection policies, their versions and deployments, who fetched what, and which fields apps must not send. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run(`create table policies (
    id text primary key, application_id int not null references applications(id) on delete cascade, name text not null,
    draft jsonb not null, rev int not null, archived_at int8, created_at int8 not null, updated_at int8 not null,
    updated_by int references users(id) on delete set null)`)
  await run(`create index policies_application on policies (application_id)`)
  await run(`create table policy_versions (
    policy_id text not null references policies(id) on delete cascade, version int not null, rules jsonb not null,
    created_at int8 not null, created_by int references users(id) on delete set null, primary key (policy_id, version))`)
  // A version that was ever deployed is a permanent record of what phones received.
  await run(`create function policy_versions_are_immutable() returns trigger language plpgsql as $$
    begin
      if new.rules is distinct from old.rules or new.version <> old.version or new.policy_id <> old.policy_id then
        raise exception 'a policy version never changes';
      end if;
      return new;
    end $$`)
  await run(`create trigger policy_versions_guard before update on policy_versions
    for each row execute function policy_versions_are_immutable()`)
  await run(`create table policy_deployments (
    id text primary key, serial int8 generated always as identity, application_id int not null references applications(id) on delete cascade,
    policy_id text not null, version int not null, app_versions text[] not null, percent int not null, state text not null,
    created_at int8 not null, created_by int references users(id) on delete set null, changed_at int8 not null,
    foreign key (policy_id, version) references policy_versions(policy_id, version) on delete cascade)`)
  await run(`create index policy_deployments_application on policy_deployments (application_id, serial)`)
  await run(`create table policy_deployment_changes (
    id int8 generated always as identity primary key, deployment_id text not null references policy_deployments(id) on delete cascade,
    at int8 not null, by_user int references users(id) on delete set null, what text not null, percent int not null)`)
  await run(`create index policy_deployment_changes_deployment on policy_deployment_changes (deployment_id, id)`)
  await run(`create table policy_fetches (
    application_id int not null references applications(id) on delete cascade, device text not null, app_version text not null,
    policy_id text not null, version int not null, fetched_at int8 not null, primary key (application_id, device))`)
  await run(`create index policy_fetches_device on policy_fetches (device)`)
  await run(`create table application_collection (
    application_id int primary key references applications(id) on delete cascade, off text[] not null, changed_at int8 not null)`)
  await run(`alter table applications add column protect_changed_at int8 not null default 0`)
}
