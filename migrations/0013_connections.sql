CREATE TABLE "connection_processes" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connection_tickets" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"user_guid" uuid NOT NULL,
	"jti" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"topics" text[],
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"process_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"client_id" text,
	"door" text NOT NULL,
	"address" text NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	"subscriptions" smallint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_process_guid_connection_processes_guid_fk" FOREIGN KEY ("process_guid") REFERENCES "public"."connection_processes"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_tickets_expires" ON "connection_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connection_tickets_user" ON "connection_tickets" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "connections_process" ON "connections" USING btree ("process_guid");--> statement-breakpoint
CREATE INDEX "connections_user" ON "connections" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "connections_client" ON "connections" USING btree ("client_id");