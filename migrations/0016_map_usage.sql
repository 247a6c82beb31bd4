CREATE TABLE "listed_pools" (
	"pool_guid" uuid PRIMARY KEY NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"name_key" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "map_terms" (
	"term" text COLLATE "C" NOT NULL,
	"map_guid" uuid NOT NULL,
	"first_published_at" timestamp (3) with time zone NOT NULL,
	"pools" integer NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"stars_a" double precision NOT NULL,
	"stars_b" double precision NOT NULL,
	CONSTRAINT "map_terms_term_map_guid_pk" PRIMARY KEY("term","map_guid")
);
--> statement-breakpoint
CREATE TABLE "map_usage" (
	"map_guid" uuid PRIMARY KEY NOT NULL,
	"pools" integer NOT NULL,
	"tournaments" integer NOT NULL,
	"first_published_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"stars_a" double precision NOT NULL,
	"stars_b" double precision NOT NULL,
	"nps" double precision,
	"duration_seconds" integer
);
--> statement-breakpoint
CREATE TABLE "pool_terms" (
	"term" text COLLATE "C" NOT NULL,
	"pool_guid" uuid NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	CONSTRAINT "pool_terms_term_pool_guid_pk" PRIMARY KEY("term","pool_guid")
);
--> statement-breakpoint
ALTER TABLE "listed_pools" ADD CONSTRAINT "listed_pools_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "map_terms" ADD CONSTRAINT "map_terms_map_guid_map_usage_map_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."map_usage"("map_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "map_usage" ADD CONSTRAINT "map_usage_map_guid_maps_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."maps"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_terms" ADD CONSTRAINT "pool_terms_pool_guid_listed_pools_pool_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."listed_pools"("pool_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listed_pools_newest" ON "listed_pools" USING btree ("published_at","pool_guid");--> statement-breakpoint
CREATE INDEX "listed_pools_name" ON "listed_pools" USING btree ("name_key","pool_guid");--> statement-breakpoint
CREATE INDEX "map_terms_of_map" ON "map_terms" USING btree ("map_guid","term");--> statement-breakpoint
CREATE INDEX "map_terms_newest" ON "map_terms" USING btree ("term","first_published_at","map_guid");--> statement-breakpoint
CREATE INDEX "map_terms_used" ON "map_terms" USING btree ("term","pools","map_guid");--> statement-breakpoint
CREATE INDEX "map_terms_name" ON "map_terms" USING btree ("term","name_key","map_guid");--> statement-breakpoint
CREATE INDEX "map_terms_stars_a" ON "map_terms" USING btree ("term","stars_a","map_guid");--> statement-breakpoint
CREATE INDEX "map_terms_stars_b" ON "map_terms" USING btree ("term","stars_b","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_newest" ON "map_usage" USING btree ("first_published_at","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_used" ON "map_usage" USING btree ("pools","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_last_used" ON "map_usage" USING btree ("last_used_at","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_name" ON "map_usage" USING btree ("name_key","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_stars_a" ON "map_usage" USING btree ("stars_a","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_stars_b" ON "map_usage" USING btree ("stars_b","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_nps" ON "map_usage" USING btree ("nps","map_guid");--> statement-breakpoint
CREATE INDEX "map_usage_seconds" ON "map_usage" USING btree ("duration_seconds","map_guid");--> statement-breakpoint
CREATE INDEX "pool_terms_of_pool" ON "pool_terms" USING btree ("pool_guid","term");--> statement-breakpoint
CREATE INDEX "pool_terms_newest" ON "pool_terms" USING btree ("term","published_at","pool_guid");--> statement-breakpoint
CREATE INDEX "pool_terms_name" ON "pool_terms" USING btree ("term","name_key","pool_guid");--> statement-breakpoint
CREATE INDEX "qualifier_maps_hash" ON "qualifier_maps" USING btree ("hash");--> statement-breakpoint
-- Words of a text as searches compare them, each once, in the order in which they stand last in the text: whatever is not a
-- letter or a digit separates them.
create function search_words(words text) returns text[] language sql immutable parallel safe as $$
  select array(
    select lexeme from unnest(to_tsvector('simple', translate(normalize(coalesce(words, ''), NFC),
      '!"#$%&()*+,-./:;<=>?@[]^_`{|}~''\', '                                '))) found (lexeme, positions, weights)
    order by positions[array_upper(positions, 1)])
$$;
--> statement-breakpoint
-- What everybody sees of maps in pools of tournaments that the system platform lists. (pools: What outsiders see)
create view listed_pool_maps as
select m.map_guid, m.flair_guid, p.guid as pool_guid, p.tournament_guid, greatest(p.published_at, m.released_at) as used_at
from pool_maps m
join pools p on p.guid = m.pool_guid
join listings l on l.tournament_guid = p.tournament_guid
join platforms f on f.guid = l.platform_guid and f.is_system
where m.released_at is not null and p.status <> 'draft';
--> statement-breakpoint
create view wanted_map_terms as
select u.map_guid, 'w:' || word as term from map_usage u join maps m on m.guid = u.map_guid,
  unnest(search_words(concat_ws(' ', m.name, m.sub_name, m.artist, m.mapper))) word
union all
select u.map_guid, term from map_usage u join maps m on m.guid = u.map_guid,
  unnest(array['h:' || m.hash, 'k:' || m.key, 'm:' || lower(m.mapper), 'd:' || m.difficulty, 'c:' || lower(m.characteristic),
    case when m.stars_a is not null then 'r:a' end, case when m.stars_b is not null then 'r:b' end]) term
where term is not null
union all
select l.map_guid, term from listed_pool_maps l left join flairs f on f.guid = l.flair_guid,
  unnest(array['t:' || l.tournament_guid, 'p:' || l.pool_guid, 'f:' || lower(f.name)]) term
where term is not null;
--> statement-breakpoint
create view wanted_pool_terms as
select l.pool_guid, 'w:' || word as term
from listed_pools l join pools p on p.guid = l.pool_guid join tournaments t on t.guid = p.tournament_guid,
  unnest(search_words(concat_ws(' ', p.name, t.name, p.playlist_title))) word
union all
select l.pool_guid, term from listed_pools l join pools p on p.guid = l.pool_guid,
  unnest(array['t:' || p.tournament_guid, 'k:' || p.kind, 's:' || p.status]) term
union all
select l.pool_guid, term
from listed_pool_maps l join maps m on m.guid = l.map_guid left join flairs f on f.guid = l.flair_guid,
  unnest(array['h:' || m.hash, 'f:' || lower(f.name)]) term
where term is not null;
--> statement-breakpoint
-- Makes the rows of these maps anew. Of two transactions that change where a map stands, the second waits here for the first,
-- and its statements see what that has left; rows are locked in the order of their keys. A few hundred at a time: a long list
-- of keys is gone through for each row.
create function refresh_map_usage(touched uuid[]) returns void language plpgsql as $$
declare
  in_order uuid[] := array(select distinct guid from unnest(touched) guid order by guid);
  part uuid[];
begin
  for place in 1 .. cardinality(in_order) by 500 loop
    part := in_order[place:place + 499];
    perform from maps where guid = any(part) order by guid for no key update;
    delete from map_usage u
    where u.map_guid = any(part) and not exists (select from listed_pool_maps l where l.map_guid = u.map_guid);
    insert into map_usage as u
      (map_guid, pools, tournaments, first_published_at, last_used_at, name_key, stars_a, stars_b, nps, duration_seconds)
    select m.guid, l.pools, l.tournaments, l.first, l.last, coalesce('0' || lower(m.name), '1'),
      coalesce(m.stars_a, -1), coalesce(m.stars_b, -1), m.nps, m.duration_seconds
    from (
      select map_guid, count(*) as pools, count(distinct tournament_guid) as tournaments, min(used_at) as first, max(used_at) as last
      from listed_pool_maps where map_guid = any(part) group by map_guid
    ) l join maps m on m.guid = l.map_guid
    on conflict (map_guid) do update set pools = excluded.pools, tournaments = excluded.tournaments,
      first_published_at = excluded.first_published_at, last_used_at = excluded.last_used_at, name_key = excluded.name_key,
      stars_a = excluded.stars_a, stars_b = excluded.stars_b, nps = excluded.nps, duration_seconds = excluded.duration_seconds;
    with wanted as materialized (select map_guid, term from wanted_map_terms where map_guid = any(part)),
    gone as (
      delete from map_terms t
      where t.map_guid = any(part) and not exists (select from wanted w where w.map_guid = t.map_guid and w.term = t.term)
    )
    insert into map_terms as t (map_guid, term, first_published_at, pools, name_key, stars_a, stars_b)
    select distinct w.map_guid, w.term, u.first_published_at, u.pools, u.name_key, u.stars_a, u.stars_b
    from wanted w join map_usage u on u.map_guid = w.map_guid
    on conflict (term, map_guid) do update set first_published_at = excluded.first_published_at, pools = excluded.pools,
      name_key = excluded.name_key, stars_a = excluded.stars_a, stars_b = excluded.stars_b
    where (t.first_published_at, t.pools, t.name_key, t.stars_a, t.stars_b)
      <> (excluded.first_published_at, excluded.pools, excluded.name_key, excluded.stars_a, excluded.stars_b);
  end loop;
end
$$;
--> statement-breakpoint
-- The same of pools. A pool that is being published while its tournament is being listed is seen by whichever commits last.
create function refresh_listed_pools(touched uuid[]) returns void language plpgsql as $$
begin
  perform from pools where guid = any(touched) order by guid for no key update;
  delete from listed_pools where pool_guid = any(touched) and pool_guid not in (
    select p.guid from pools p join listings l on l.tournament_guid = p.tournament_guid
    join platforms f on f.guid = l.platform_guid and f.is_system
    where p.guid = any(touched) and p.status <> 'draft');
  insert into listed_pools (pool_guid, published_at, name_key)
  select p.guid, coalesce(p.published_at, p.created_at), lower(p.name) from pools p
  join listings l on l.tournament_guid = p.tournament_guid
  join platforms f on f.guid = l.platform_guid and f.is_system
  where p.guid = any(touched) and p.status <> 'draft'
  on conflict (pool_guid) do update set published_at = excluded.published_at, name_key = excluded.name_key;
  with wanted as materialized (select pool_guid, term from wanted_pool_terms where pool_guid = any(touched)),
  gone as (
    delete from pool_terms t
    where t.pool_guid = any(touched) and not exists (select from wanted w where w.pool_guid = t.pool_guid and w.term = t.term)
  )
  insert into pool_terms as t (pool_guid, term, published_at, name_key)
  select distinct w.pool_guid, w.term, l.published_at, l.name_key from wanted w join listed_pools l on l.pool_guid = w.pool_guid
  on conflict (term, pool_guid) do update set published_at = excluded.published_at, name_key = excluded.name_key
  where (t.published_at, t.name_key) <> (excluded.published_at, excluded.name_key);
end
$$;
--> statement-breakpoint
create function refresh_maps_of_pools(touched uuid[]) returns void language sql as $$
  select refresh_map_usage(array(
    select distinct map_guid from pool_maps where pool_guid = any(touched) and released_at is not null))
$$;
--> statement-breakpoint
create function listings_keep_usage() returns trigger language plpgsql as $$
declare
  touched uuid[] := array(
    select p.guid from changed c join platforms f on f.guid = c.platform_guid and f.is_system
    join pools p on p.tournament_guid = c.tournament_guid);
begin
  if touched <> '{}' then
    perform refresh_listed_pools(touched);
    perform refresh_maps_of_pools(touched);
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_inserted after insert on listings
referencing new table as changed for each statement execute function listings_keep_usage();
--> statement-breakpoint
create trigger keep_usage_deleted after delete on listings
referencing old table as changed for each statement execute function listings_keep_usage();
--> statement-breakpoint
create function pools_keep_usage() returns trigger language plpgsql as $$
begin
  perform refresh_listed_pools(array[new.guid]);
  perform refresh_maps_of_pools(array[new.guid]);
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_published after update of status, published_at on pools for each row
when (old.status is distinct from new.status or old.published_at is distinct from new.published_at)
execute function pools_keep_usage();
--> statement-breakpoint
create function pools_keep_terms() returns trigger language plpgsql as $$
begin
  perform refresh_listed_pools(array[new.guid]);
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_inserted after insert on pools for each row
when (new.status <> 'draft') execute function pools_keep_terms();
--> statement-breakpoint
create trigger keep_usage_named after update of name, playlist_title, kind on pools for each row
when (new.status <> 'draft' and (old.name, old.playlist_title, old.kind) is distinct from (new.name, new.playlist_title, new.kind))
execute function pools_keep_terms();
--> statement-breakpoint
create function pool_maps_keep_usage() returns trigger language plpgsql as $$
declare
  touched_pools uuid[];
  touched_maps uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct pool_guid), array_agg(distinct map_guid) into touched_pools, touched_maps
    from new_rows where released_at is not null;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct pool_guid), array_agg(distinct map_guid) into touched_pools, touched_maps
    from old_rows where released_at is not null;
  else
    select array_agg(distinct pool_guid), array_agg(distinct map_guid) into touched_pools, touched_maps
    from (
      select pool_guid, map_guid, released_at, flair_guid, guid from old_rows
      except select pool_guid, map_guid, released_at, flair_guid, guid from new_rows
      union
      (select pool_guid, map_guid, released_at, flair_guid, guid from new_rows
      except select pool_guid, map_guid, released_at, flair_guid, guid from old_rows)
    ) changed;
  end if;
  if touched_pools is not null then
    perform refresh_listed_pools(touched_pools);
    perform refresh_map_usage(touched_maps);
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_inserted after insert on pool_maps
referencing new table as new_rows for each statement execute function pool_maps_keep_usage();
--> statement-breakpoint
create trigger keep_usage_updated after update on pool_maps
referencing old table as old_rows new table as new_rows for each statement execute function pool_maps_keep_usage();
--> statement-breakpoint
create trigger keep_usage_deleted after delete on pool_maps
referencing old table as old_rows for each statement execute function pool_maps_keep_usage();
--> statement-breakpoint
create function maps_keep_usage() returns trigger language plpgsql as $$
declare
  touched uuid[] := array(
    select n.guid from new_rows n join old_rows o using (guid) join map_usage u on u.map_guid = n.guid
    where (n.name, n.sub_name, n.artist, n.mapper, n.key, n.nps, n.duration_seconds, n.stars_a, n.stars_b)
      is distinct from (o.name, o.sub_name, o.artist, o.mapper, o.key, o.nps, o.duration_seconds, o.stars_a, o.stars_b));
begin
  if touched <> '{}' then perform refresh_map_usage(touched); end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_updated after update on maps
referencing old table as old_rows new table as new_rows for each statement execute function maps_keep_usage();
--> statement-breakpoint
create function flairs_keep_usage() returns trigger language plpgsql as $$
begin
  perform refresh_listed_pools(array(select distinct pool_guid from pool_maps where flair_guid = new.guid));
  perform refresh_map_usage(array(select distinct map_guid from pool_maps where flair_guid = new.guid));
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_named after update of name on flairs for each row
when (old.name is distinct from new.name) execute function flairs_keep_usage();
--> statement-breakpoint
create function tournaments_keep_usage() returns trigger language plpgsql as $$
begin
  perform refresh_listed_pools(array(select guid from pools where tournament_guid = new.guid));
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_usage_named after update of name on tournaments for each row
when (old.name is distinct from new.name) execute function tournaments_keep_usage();
--> statement-breakpoint
select refresh_listed_pools(array(select guid from pools where status <> 'draft')),
  refresh_map_usage(array(select distinct map_guid from listed_pool_maps));
