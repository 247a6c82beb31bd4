ALTER TABLE "pool_maps" ADD COLUMN "told" jsonb;--> statement-breakpoint
-- What playlists told stood in the row that all tournaments share. Nobody knows any more which of them told it: the pools that show
-- it now keep it, each for itself, and it is shown nowhere else from now on. Maps that the catalogue was ever known to publish have
-- notes; of others it said nothing where they have nothing of a song, or where it does not know their hash.
with told as (
  select m.guid, m.key, m.name, m.mapper, case when m.state = 'outdated' then m.current_hash end as current_hash
  from maps m
  where num_nonnulls(m.key, m.name, m.mapper) > 0 and num_nonnulls(m.notes, m.max_score) = 0 and (
    (m.state in ('missing', 'unresolved') and num_nonnulls(m.image_url, m.uploaded_at, m.bpm, m.duration_seconds) = 0)
    or exists (
      select from catalogue_answers a where a.question = 'hash:' || m.hash and coalesce(a.answer, 'null') = 'null'))
), kept as (
  update pool_maps p
  set told = jsonb_build_object('key', t.key, 'name', t.name, 'mapper', t.mapper, 'currentHash', t.current_hash)
  from told t where p.map_guid = t.guid
)
update maps m
set key = null, name = null, sub_name = null, artist = null, mapper = null, image_url = null, preview_url = null, bpm = null,
  duration_seconds = null, uploaded_at = null, ranked_a = null, ranked_b = null, ai = null, current_hash = null,
  state = case when m.state = 'outdated' then 'missing' else m.state end
from told t where m.guid = t.guid;
