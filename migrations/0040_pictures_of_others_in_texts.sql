ALTER TABLE "media_usages" ADD COLUMN "is_foreign" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Texts use the pictures of others that they show, too. Those that are there already and were not noted are all of others.
with texts (subject, guid, field, text) as (
  select 'tournament', t.guid, f.field, f.text
    from tournaments t, lateral (values ('description', t.description), ('rules', t.rules), ('prizes', t.prizes)) f (field, text)
  union all select 'platform', guid, 'description', description from platforms
  union all select 'user', guid, 'description', description from users
  union all select 'notice', guid, 'content', content from notices
  union all select 'pool', guid, 'description', description from pools
  union all select 'availability_sheet', guid, 'description', description from availability_sheets
  union all select 'award', guid, 'description', description from award_editions
  union all select 'award_category', guid, 'description', description from award_categories
), used as (
  insert into media_usages (media_guid, subject, subject_guid, field, is_foreign)
  select distinct m.guid, x.subject, x.guid, x.field, true
  from texts x
    cross join lateral regexp_matches(lower(x.text), '[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}', 'g') named
    join media m on m.guid = named[1]::uuid
  on conflict do nothing
  returning media_guid
)
update media set unused_since = null, was_used = true where guid in (select media_guid from used);
