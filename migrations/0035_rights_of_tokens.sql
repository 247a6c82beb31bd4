drop function hold_rights(bigint, uuid, uuid);
--> statement-breakpoint
drop function rights_changed(bigint, uuid, uuid);
--> statement-breakpoint
-- Whether a user may do less than at event number `since`: anywhere, by the application, or in the tournament. Whoever ends a
-- token, a grant or a sign-in of theirs is the actor of that.
create function rights_changed(since bigint, the_user uuid, the_client uuid, the_tournament uuid)
returns boolean language plpgsql as $$
begin
  return exists (
    select from event_log e
    where e.rights and e.seq > since
      and (e.subject in (the_user, the_client) or e.actor = the_user or e.tournament = the_tournament)
  );
end
$$;
--> statement-breakpoint
-- The same at the commit of what the user does: it fails when they may do less, and nothing that would take anything from
-- them is committed in front of it from here on.
create function hold_rights(since bigint, the_user uuid, the_client uuid, the_tournament uuid)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305518001);
  if rights_changed(since, the_user, the_client, the_tournament) then
    raise exception using errcode = 'DB001', message = 'what the user may do has changed';
  end if;
end
$$;
