CREATE TABLE "setup" (
	"code" text PRIMARY KEY NOT NULL
);
