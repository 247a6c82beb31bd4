-- What would leave a rehearsal is recorded. `faults`: how the receivers answer there, by kind.
alter table rehearsals add column faults jsonb default '{}' not null;
--> statement-breakpoint
create table outbox_messages (
  guid uuid primary key default gen_random_uuid() not null,
  rehearsal_guid uuid not null references rehearsals (guid) on delete cascade,
  place bigint generated always as identity not null,
  key text,
  kind text not null,
  at timestamp (3) with time zone not null,
  "to" text not null,
  user_guid uuid,
  subject text not null,
  body text not null,
  status text not null,
  attempts jsonb not null,
  next_attempt_at timestamp (3) with time zone,
  until timestamp (3) with time zone,
  constraint outbox_messages_kind_known
    check (kind in ('chat', 'webhook', 'mail', 'notification', 'push', 'stream', 'assistant', 'lookup')),
  constraint outbox_messages_status_known check (status in ('sent', 'failed', 'waiting'))
);
--> statement-breakpoint
create index outbox_messages_of_rehearsal on outbox_messages using btree (rehearsal_guid, at, kind, place);
--> statement-breakpoint
create index outbox_messages_due on outbox_messages using btree (rehearsal_guid, kind, next_attempt_at)
  where next_attempt_at is not null;
--> statement-breakpoint
create unique index outbox_messages_key on outbox_messages using btree (rehearsal_guid, key);
