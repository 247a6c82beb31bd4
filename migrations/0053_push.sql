create table push_devices (
  guid uuid primary key default gen_random_uuid(),
  user_guid uuid not null,
  endpoint text not null,
  endpoint_digest bytea not null,
  p256dh text not null,
  auth text not null,
  name text,
  muted_kinds text[] not null default '{}',
  quiet_from text,
  quiet_to text,
  quiet_timezone text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint push_devices_user_guid_users_guid_fk foreign key (user_guid) references users (guid) on delete cascade
);
--> statement-breakpoint
create unique index push_devices_endpoint_unique on push_devices (endpoint_digest);
--> statement-breakpoint
create index push_devices_of_user on push_devices (user_guid, created_at, guid);
--> statement-breakpoint
create table push_reminders (
  occasion text not null,
  record_guid uuid not null,
  due_at timestamptz(3) not null,
  constraint push_reminders_occasion_record_guid_due_at_pk primary key (occasion, record_guid, due_at)
);
--> statement-breakpoint
create index push_reminders_due on push_reminders (due_at);
--> statement-breakpoint
create index availability_sheets_closing on availability_sheets (closes_at) where closes_at is not null;
