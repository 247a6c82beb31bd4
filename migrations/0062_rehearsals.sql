-- Tournaments that rehearse others.
alter table tournaments add column rehearsal_of uuid references tournaments (guid) on delete cascade;
--> statement-breakpoint
create index tournaments_rehearsals on tournaments using btree (rehearsal_of) where rehearsal_of is not null;
--> statement-breakpoint
create table rehearsals (
  guid uuid primary key references tournaments (guid) on delete cascade,
  name text not null,
  is_reset boolean not null,
  seed text not null,
  no_shows uuid[] not null,
  created_by uuid not null references users (guid),
  created_at timestamp (3) with time zone default now() not null
);
--> statement-breakpoint
create index rehearsals_created_by on rehearsals using btree (created_by, created_at);
