CREATE INDEX "matches_by_status" ON "matches" USING btree ("status",coalesce("scheduled_at", "started_at"),"guid") WHERE coalesce("matches"."scheduled_at", "matches"."started_at") is not null;--> statement-breakpoint
CREATE INDEX "matches_of_tournament_by_status" ON "matches" USING btree ("tournament_guid","status",coalesce("scheduled_at", "started_at"),"guid") WHERE coalesce("matches"."scheduled_at", "matches"."started_at") is not null;
--> statement-breakpoint
CREATE INDEX "users_name_order" ON "users" USING btree (lower("username") text_pattern_ops,"guid") WHERE "users"."anonymised_at" is null;--> statement-breakpoint
CREATE INDEX "users_preferred_name_order" ON "users" USING btree (lower("preferred_name") text_pattern_ops,"guid") WHERE "users"."anonymised_at" is null;--> statement-breakpoint
CREATE TABLE "team_terms" (
	"term" text COLLATE "C" NOT NULL,
	"team_guid" uuid NOT NULL,
	"sort_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "team_terms_team_guid_term_pk" PRIMARY KEY("team_guid","term")
);
--> statement-breakpoint
CREATE TABLE "tournament_terms" (
	"term" text COLLATE "C" NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"sort_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tournament_terms_tournament_guid_term_pk" PRIMARY KEY("tournament_guid","term")
);
--> statement-breakpoint
ALTER TABLE "team_terms" ADD CONSTRAINT "team_terms_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournament_terms" ADD CONSTRAINT "tournament_terms_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "team_terms_newest" ON "team_terms" USING btree ("term","sort_at" DESC NULLS LAST,"team_guid");--> statement-breakpoint
CREATE INDEX "tournament_terms_newest" ON "tournament_terms" USING btree ("term","sort_at" DESC NULLS LAST,"tournament_guid");--> statement-breakpoint
-- The words by which tournaments that the system platform lists are found, and their teams.
create view wanted_tournament_terms as
select t.guid as tournament_guid, word as term, l.sort_at
from platforms f join listings l on l.platform_guid = f.guid join tournaments t on t.guid = l.tournament_guid,
  unnest(search_words(t.name || ' ' || t.id)) word
where f.is_system;
--> statement-breakpoint
create view wanted_team_terms as
select t.guid as team_guid, t.tournament_guid, word as term, t.created_at as sort_at
from platforms f join listings l on l.platform_guid = f.guid join teams t on t.tournament_guid = l.tournament_guid,
  unnest(search_words(t.name || ' ' || t.id)) word
where f.is_system;
--> statement-breakpoint
-- Makes the words of these tournaments anew. Of two transactions that change a tournament, the second waits here for the first, and
-- its statements see what that has left.
create function refresh_tournament_terms(touched uuid[]) returns void language plpgsql as $$
begin
  perform from tournaments where guid = any(touched) order by guid for no key update;
  with wanted as materialized (select * from wanted_tournament_terms where tournament_guid = any(touched)),
  gone as (
    delete from tournament_terms t where t.tournament_guid = any(touched)
      and not exists (select from wanted w where w.tournament_guid = t.tournament_guid and w.term = t.term)
  )
  insert into tournament_terms as t (tournament_guid, term, sort_at) select tournament_guid, term, sort_at from wanted
  on conflict (tournament_guid, term) do update set sort_at = excluded.sort_at where t.sort_at <> excluded.sort_at;
end
$$;
--> statement-breakpoint
-- The same of teams. Commands change teams under the lock of their tournament, as they change what is listed.
create function refresh_team_terms(touched uuid[]) returns void language plpgsql as $$
begin
  with wanted as materialized (select * from wanted_team_terms where team_guid = any(touched)),
  gone as (
    delete from team_terms t where t.team_guid = any(touched)
      and not exists (select from wanted w where w.team_guid = t.team_guid and w.term = t.term)
  )
  insert into team_terms as t (team_guid, term, sort_at) select team_guid, term, sort_at from wanted
  on conflict (team_guid, term) do nothing;
end
$$;
--> statement-breakpoint
create function listings_keep_terms() returns trigger language plpgsql as $$
declare
  touched uuid[] := array(
    select c.tournament_guid from changed c join platforms f on f.guid = c.platform_guid and f.is_system);
begin
  if touched <> '{}' then
    perform refresh_tournament_terms(touched);
    perform refresh_team_terms(array(select guid from teams where tournament_guid = any(touched)));
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_terms_inserted after insert on listings
referencing new table as changed for each statement execute function listings_keep_terms();
--> statement-breakpoint
create trigger keep_terms_deleted after delete on listings
referencing old table as changed for each statement execute function listings_keep_terms();
--> statement-breakpoint
create function tournaments_keep_terms() returns trigger language plpgsql as $$
begin
  perform refresh_tournament_terms(array[new.guid]);
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_terms_named after update of name, id on tournaments for each row
when ((old.name, old.id) is distinct from (new.name, new.id)) execute function tournaments_keep_terms();
--> statement-breakpoint
create function teams_keep_terms() returns trigger language plpgsql as $$
begin
  perform refresh_team_terms(array(select guid from changed));
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_terms_inserted after insert on teams
referencing new table as changed for each statement execute function teams_keep_terms();
--> statement-breakpoint
create function teams_keep_new_terms() returns trigger language plpgsql as $$
begin
  perform refresh_team_terms(array[new.guid]);
  return null;
end
$$;
--> statement-breakpoint
create trigger keep_terms_named after update of name, id on teams for each row
when ((old.name, old.id) is distinct from (new.name, new.id)) execute function teams_keep_new_terms();
--> statement-breakpoint
insert into tournament_terms (tournament_guid, term, sort_at) select tournament_guid, term, sort_at from wanted_tournament_terms;
--> statement-breakpoint
insert into team_terms (team_guid, term, sort_at) select team_guid, term, sort_at from wanted_team_terms;
