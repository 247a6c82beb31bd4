-- Texts use the pictures that they show. Of those that are there already, whatever their writer, or the record, may use.
with texts (subject, guid, field, text, owners, tournament_guid, platform_guid, is_library) as (
  select 'tournament', t.guid, f.field, f.text, array[t.organiser_guid], t.guid, null::uuid, false
    from tournaments t, lateral (values ('description', t.description), ('rules', t.rules), ('prizes', t.prizes)) f (field, text)
  union all select 'platform', p.guid, 'description', p.description,
    array(select m.user_guid from platform_members m where m.platform_guid = p.guid), null, p.guid, false from platforms p
  union all select 'user', u.guid, 'description', u.description, array[u.guid], null, null, false from users u
  union all select 'notice', n.guid, 'content', n.content, array[n.created_by_guid], null, null, false from notices n
  union all select 'pool', p.guid, 'description', p.description, array[t.organiser_guid], t.guid, null, false
    from pools p join tournaments t on t.guid = p.tournament_guid
  union all select 'availability_sheet', s.guid, 'description', s.description, array[s.created_by_guid], s.tournament_guid, null, false
    from availability_sheets s
  union all select 'award', e.guid, 'description', e.description, '{}', null, null, true from award_editions e
  union all select 'award_category', c.guid, 'description', c.description, '{}', null, null, true from award_categories c
), used as (
  insert into media_usages (media_guid, subject, subject_guid, field)
  select distinct m.guid, x.subject, x.guid, x.field
  from texts x
    cross join lateral regexp_matches(lower(x.text), '[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}', 'g') named
    join media m on m.guid = named[1]::uuid
  where m.owner_guid = any(x.owners) or m.tournament_guid = x.tournament_guid or m.platform_guid = x.platform_guid
    or (x.is_library and m.kind = 'award_image')
  on conflict do nothing
  returning media_guid
)
update media set unused_since = null, was_used = true where guid in (select media_guid from used);
