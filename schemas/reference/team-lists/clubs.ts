/**
 * Clubs beside those of the tables of teams, by sport: `name | other names`, one a line. What spelling
 * rules find by themselves (accents, FC, cut words) has no entry; sponsors, nicknames, initials and
 * cities by themselves do.
 */
export const clubs: Readonly<Record<string, string>> = {
  hockey: `
CSKA Moscow|CSKA, HC CSKA, CSKA Moskva, CSKA Moscou, Tsska Moscow
SKA Saint Petersburg|SKA, SKA St Petersburg, SKA Saint Petersbourg, St Petersburg, SKA Petersburg
Spartak Moscow|Spartak, Spartak Moskva, Spartak Moscou
Dynamo Moscow|Dinamo Moscow, Dynamo Moskva, Dynamo Moscou, Dinamo Moskva
Lokomotiv Yaroslavl|Lokomotiv, Yaroslavl, Lok Yaroslavl, Loko Yaroslavl
Severstal Cherepovets|Severstal, Cherepovets
Torpedo Nizhny Novgorod|Torpedo, Nizhny Novgorod, Torpedo NN, Torpedo Novgorod, Torpedo N Novgorod, Torpedo Gorky
Vityaz Podolsk|Vityaz, Vityaz Moscow Region, Vityaz Chekhov, Podolsk, Vityaz Balashikha
HC Sochi|Sochi, HK Sochi, Leopards Sochi
Dinamo Minsk|Dynamo Minsk, HC Dinamo Minsk, Minsk
Dinamo Riga|Dynamo Riga, Riga
Kunlun Red Star|Red Star Kunlun, Kunlun, HC Red Star Kunlun, Kunlun RS, Shanghai Dragons
Ak Bars Kazan|Ak Bars, Kazan, Bars Kazan
Avtomobilist Yekaterinburg|Avtomobilist, Yekaterinburg, Ekaterinburg, Avtomobilist Ekaterinburg
Metallurg Magnitogorsk|Metallurg, Magnitogorsk, Metallurg Mg, Metallurg M
Traktor Chelyabinsk|Traktor, Chelyabinsk, Traktor Tcheliabinsk, Traktor Cheliabinsk
Salavat Yulaev Ufa|Salavat Yulaev, Salavat, Ufa, Salavat Ufa
Sibir Novosibirsk|Sibir, Novosibirsk, Sibir Novosib
Amur Khabarovsk|Amur, Khabarovsk
Admiral Vladivostok|Admiral, Vladivostok
Avangard Omsk|Avangard, Omsk
Barys Astana|Barys, Barys Nur-Sultan, Astana, Barys Noursoultan
Neftekhimik Nizhnekamsk|Neftekhimik, Nizhnekamsk
Lada Togliatti|Lada, Togliatti, Lada Tolyatti
Yugra Khanty-Mansiysk|Yugra, Khanty-Mansiysk, Ugra Khanty-Mansiysk
Slovan Bratislava|HC Slovan Bratislava
Medvescak Zagreb|KHL Medvescak, Medvescak
Jokerit Helsinki|Jokerit
Frolunda|Frolunda HC, Frolunda Indians, Frolunda Gothenburg, Frolunda Goteborg, Vastra Frolunda
Skelleftea AIK|Skelleftea
Lulea HF|Lulea, Lulea Hockey
Farjestad BK|Farjestad, Farjestads BK, Farjestads, Farjestad Karlstad
HV71|HV 71, HV71 Jonkoping
Brynas IF|Brynas, Brynas Gavle
Djurgarden|Djurgardens IF, Djurgarden IF, Djurgarden Stockholm, Djurgardens
Linkoping HC|Linkoping, Linkopings HC, LHC Linkoping
Malmo Redhawks|Malmo, Malmo IF, MIF Redhawks
Orebro HK|Orebro, Orebro Hockey
Rogle BK|Rogle, Rogle Angelholm
Vaxjo Lakers|Vaxjo, Vaxjo Lakers HC
Leksands IF|Leksand, Leksands
Timra IK|Timra
MoDo Hockey|MoDo, Modo Ornskoldsvik
IK Oskarshamn|Oskarshamn
Mora IK|Mora
AIK Stockholm|AIK, AIK Solna
HIFK Helsinki|HIFK, IFK Helsinki, Helsinki IFK, HIFK Hockey
TPS Turku|TPS, HC TPS, HC TPS Turku
Tappara Tampere|Tappara
Ilves Tampere|Ilves
Karpat Oulu|Karpat, Oulun Karpat, Kaerpaet
Lukko Rauma|Lukko, Rauman Lukko
Assat Pori|Assat, Porin Assat, Aessaet
Pelicans Lahti|Pelicans, Lahti Pelicans, Lahden Pelicans
JYP Jyvaskyla|JYP, JYP HT, JYP Jyvaskylae
KalPa Kuopio|KalPa
HPK Hameenlinna|HPK
SaiPa Lappeenranta|SaiPa
Sport Vaasa|Vaasan Sport, Sport, Vaasa Sport
KooKoo Kouvola|KooKoo
Jukurit Mikkeli|Jukurit, Mikkelin Jukurit
Kiekko-Espoo|Espoo, K-Espoo, Espoo Blues
Eisbaren Berlin|Berlin, EHC Eisbaren Berlin, Eisbaeren Berlin, EHC Berlin
Adler Mannheim|Mannheim
Red Bull Munich|EHC Red Bull Munchen, EHC Munchen, RB Munchen, Munich, EHC Red Bull Munich, Red Bull Munchen
Kolner Haie|Cologne, Koln, Koelner Haie, Cologne Sharks, Kolner EC, Cologne Haie
Dusseldorfer EG|Dusseldorf, DEG, Duesseldorfer EG, DEG Metro Stars
Grizzlys Wolfsburg|Wolfsburg, EHC Wolfsburg, Grizzly Adams Wolfsburg, EHC Wolfsburg Grizzly Adams, EHC Grizzly Wolfsburg
ERC Ingolstadt|Ingolstadt, Ingolstadt Panthers
Nurnberg Ice Tigers|Nurnberg, Nuremberg, Thomas Sabo Ice Tigers, Nuremberg Ice Tigers, Ice Tigers
Straubing Tigers|Straubing
Augsburger Panther|Augsburg, Augsburg Panthers, AEV Augsburg
Schwenninger Wild Wings|Schwenningen, SERC Wild Wings, Schwenningen Wild Wings
Iserlohn Roosters|Iserlohn, EC Iserlohn
Fischtown Pinguins|Bremerhaven, Fischtown Pinguins Bremerhaven, REV Bremerhaven, Pinguins Bremerhaven
Krefeld Pinguine|Krefeld, KEV Krefeld
Lowen Frankfurt|Frankfurt, Frankfurt Lions
Bietigheim Steelers|Bietigheim, SC Bietigheim-Bissingen
Hamburg Freezers|Hamburg
Dresdner Eislowen|Dresden, Eislowen Dresden
SC Bern|Bern, Berne, CP Berne, Schlittschuh Club Bern
ZSC Lions|Zurich, ZSC Lions Zurich, GCK Zurich, ZSC Zurich
EV Zug|Zug, Zoug
HC Davos|Davos
HC Lugano|Lugano
HC Ambri-Piotta|Ambri-Piotta, Ambri, Ambri Piotta
Geneve-Servette HC|Geneve Servette, Geneva-Servette, Servette, Geneve, Geneva, Genf-Servette, Servette Geneve, Servette Geneva
Lausanne HC|Lausanne
Fribourg-Gotteron|Fribourg, Gotteron, HC Fribourg-Gotteron, Fribourg Gotteron, Freiburg-Gotteron
EHC Biel|Biel, Bienne, HC Bienne, EHC Biel-Bienne, HC Biel
SCL Tigers|Langnau, SCL Tigers Langnau, Langnau Tigers, SC Langnau
SC Rapperswil-Jona Lakers|Rapperswil, Rapperswil-Jona, Rapperswil Lakers, Rapperswil-Jona Lakers, Lakers
EHC Kloten|Kloten, Kloten Flyers
HC Ajoie|Ajoie
Sparta Prague|Sparta Praha, HC Sparta Praha, Sparta
HC Kometa Brno|Kometa Brno, Brno, Kometa
Ocelari Trinec|Trinec, HC Ocelari Trinec, Oceláři Třinec
Bili Tygri Liberec|Liberec, HC Bili Tygri Liberec, HC Liberec, White Tigers Liberec, Tygri Liberec
HC Dynamo Pardubice|Pardubice, Dynamo Pardubice, HC Pardubice
Mountfield HK|Hradec Kralove, Mountfield Hradec Kralove, Mountfield
HC Skoda Plzen|Plzen, Skoda Plzen, HC Plzen
Vitkovice Ridera|Vitkovice, HC Vitkovice, HC Vitkovice Ridera, Ostrava
HC Verva Litvinov|Litvinov, Verva Litvinov, HC Litvinov
HC Olomouc|Olomouc, Mora Olomouc
BK Mlada Boleslav|Mlada Boleslav
HC Energie Karlovy Vary|Karlovy Vary, Energie Karlovy Vary
Rytiri Kladno|Kladno, Kladno Knights
Motor Ceske Budejovice|Ceske Budejovice, HC Ceske Budejovice, Banes Motor Ceske Budejovice, Madeta Motor
PSG Berani Zlin|Zlin, Berani Zlin, PSG Zlin
EC Red Bull Salzburg|Salzburg, Red Bull Salzburg, RB Salzburg
EC KAC|Klagenfurt, KAC, Klagenfurter AC, EC Klagenfurt
EC VSV|Villach, VSV, Villacher SV, EC Villach
Vienna Capitals|Vienna, UPC Vienna Capitals, Wien, Spusu Vienna Capitals
Graz 99ers|Graz, Moser Medical Graz 99ers, EC Graz
Black Wings Linz|Linz, EHC Linz, Steinbach Black Wings Linz, EHC Liwest Black Wings Linz
HC TWK Innsbruck|Innsbruck, Innsbruck Haie
Dornbirn Bulldogs|Dornbirn, Dornbirner EC
HC Bozen|Bolzano, HC Bolzano, Bozen, HCB Sudtirol, HCB South Tyrol
Fehervar AV19|Fehervar, Alba Volan, Szekesfehervar, Hydro Fehervar AV19, SAPA Fehervar
HC Pustertal|Pustertal, Val Pusteria, HC Val Pusteria, Pustertal Wolfe, HC Pustertal Wolfe, Val Pusteria Lupi, HC Val Pusteria Lupi, Fiat Professional Val Pusteria
Asiago Hockey|Asiago, Migross Asiago
Olimpija Ljubljana|Ljubljana, HK Olimpija, HK SZ Olimpija
HC Kosice|Kosice
HK Nitra|Nitra
HKM Zvolen|Zvolen
HK Poprad|Poprad
HK Dukla Trencin|Dukla Trencin, Trencin
HC 05 Banska Bystrica|Banska Bystrica, HC 05 iClinic Banska Bystrica
HK Dukla Michalovce|Dukla Michalovce, Michalovce
DVTK Jegesmedvek|DVTK, Jegesmedvek, Miskolc, Miskolci Jegesmedvek, Miskolci JJSE, Miskolc Jegesmedvek
MAC Budapest|MAC Ujbuda, MAC HKB Ujbuda
Sparta Sarpsborg|Sparta Warriors, Sarpsborg, IHK Sparta Sarpsborg
Stavanger Oilers|Stavanger
Frisk Asker|Frisk, Asker
Storhamar|Storhamar Dragons, Storhamar Hamar, Hamar
Valerenga|Valerenga Oslo
Stjernen|Stjernen Fredrikstad
Brulerurs de Loups Grenoble|Grenoble, Bruleurs de Loups, Bruleurs de Loups Grenoble, GMH 38
Dragons de Rouen|Rouen, Rouen Dragons, Dragons Rouen, RHE 76
Boxers de Bordeaux|Bordeaux, Boxers Bordeaux, Bordeaux GHC
Gothiques d Amiens|Amiens, Gothiques Amiens
Ducs d Angers|Angers, Ducs Angers, Angers Ducs
Gamyo Epinal|Epinal, Gamyo d Epinal
Diables Rouges de Briancon|Briancon, Diables Rouges Briancon
Rapaces de Gap|Gap, Rapaces Gap
Pionniers de Chamonix|Chamonix, Chamonix Mont-Blanc, Pionniers Chamonix
Jokers de Cergy-Pontoise|Cergy-Pontoise, Cergy Pontoise, Jokers Cergy-Pontoise, Cergy
Scorpions de Mulhouse|Mulhouse, Scorpions Mulhouse
Ours de Villard|Villard-de-Lans, Villard de Lans
Spartiates de Marseille|Marseille, Spartiates Marseille
Lions de Lyon|Lyon
Etoile Noire de Strasbourg|Strasbourg, Etoile Noire Strasbourg
Remparts de Tours|Tours
Albatros de Brest|Brest, Albatros Brest
Corsaires de Nantes|Nantes, Corsaires Nantes
Hormadi Anglet|Anglet, Anglet Hormadi
Ducs de Dijon|Dijon, Dijon Ducs
Belfast Giants|Belfast
Cardiff Devils|Cardiff
Nottingham Panthers|Nottingham
Sheffield Steelers|Sheffield
Coventry Blaze|Coventry
Manchester Storm|Manchester
Glasgow Clan|Glasgow, Braehead Clan
Dundee Stars|Dundee
Fife Flyers|Fife
Guildford Flames|Guildford
`,
  basketball: `
Real Madrid|Real Madrid Baloncesto
Barcelona|FC Barcelona, Barca, FC Barcelona Lassa, FC Barcelona Regal, Barcelona Basquet, FC Barcelone, Barcelone
Baskonia|Saski Baskonia, TD Systems Baskonia, Cazoo Baskonia, Kirolbet Baskonia, Laboral Kutxa, Bitci Baskonia, Caja Laboral, Vitoria, Baskonia Vitoria, Baskonia Vitoria Gasteiz, Kosner Baskonia
Valencia Basket|Valencia, Valencia BC, Pamesa Valencia, Power Electronics Valencia, Valence
Unicaja Malaga|Unicaja, Malaga, Baloncesto Malaga, CB Malaga
Joventut Badalona|Joventut, Badalona, DKV Joventut, Divina Seguros Joventut, FIATC Joventut, Club Joventut Badalona
Gran Canaria|Herbalife Gran Canaria, Dreamland Gran Canaria, CB Gran Canaria, Las Palmas, Kalise Gran Canaria
Tenerife|Lenovo Tenerife, Iberostar Tenerife, La Laguna Tenerife, CB Canarias, Iberojet Tenerife, 1939 Canarias
Estudiantes|CB Estudiantes, Movistar Estudiantes, Estudiantes Madrid, Asefa Estudiantes, Tuenti Movil Estudiantes
Zaragoza|Basket Zaragoza, Casademont Zaragoza, Tecnyconta Zaragoza, CAI Zaragoza, Basket Zaragoza 2002
Manresa|Baxi Manresa, Bàsquet Manresa, Basquet Manresa, ICL Manresa, Assignia Manresa
Murcia|UCAM Murcia, CB Murcia, UCAM Murcia CB
Bilbao Basket|Bilbao, Surne Bilbao, RETAbet Bilbao, Retabet Bilbao Basket, Uxue Bilbao Basket, Surne Bilbao Basket, Gescrap Bizkaia
Burgos|San Pablo Burgos, Hereda San Pablo Burgos, CB Miraflores, CB San Pablo Burgos
Obradoiro|Monbus Obradoiro, Obradoiro CAB, Rio Natura Monbus, Rio Natura Monbus Obradoiro, Blusens Monbus, Xacobeo Blusens Obradoiro, CA Obradoiro, Monbus Obradoiro CAB
Andorra|MoraBanc Andorra, BC Andorra, River Andorra, BC MoraBanc Andorra, Andorre
Fuenlabrada|Urbas Fuenlabrada, Montakit Fuenlabrada, Carplus Fuenlabrada, Baloncesto Fuenlabrada
Betis|Real Betis, Coosur Real Betis, Coosur Betis, Cajasol, Real Betis Energia Plus, Baloncesto Sevilla
Breogan|Rio Breogan, CB Breogan, Cafes Candelas Breogan, Breogan Lugo, Leche Rio Breogan
Girona|Basquet Girona, Bàsquet Girona
Granada|Covirán Granada, Coviran Granada, Fundacion Granada
Gipuzkoa|Delteco GBC, Gipuzkoa Basket, GBC, Acunsa GBC, Delteco Gipuzkoa, San Sebastian Gipuzkoa, Gipuzkoa Basket GBC, San Sebastian
Coruna|Basquet Coruna, Leyma Coruna, Leyma Basquet Coruna, LB Coruna, Basquet Coruña
Lleida|Forca Lleida, Força Lleida, Actel Forca Lleida, ICG Forca Lleida, Caprabo Lleida, Hiopos Lleida
Palencia|Zunder Palencia, Chocolates Trapa Palencia, Palencia Baloncesto
Olimpia Milano|Milan, Milano, EA7 Milano, Armani Milano, AX Armani Exchange Milan, AX Armani Exchange Milano, EA7 Emporio Armani Milan, EA7 Emporio Armani Milano, Emporio Armani Milano, AX Milan, Armani Exchange Milano, EA7 Olimpia Milano
Virtus Bologna|Virtus Segafredo Bologna, Segafredo Bologna, Granarolo Bologna, Virtus Pallacanestro Bologna, Canadian Solar Bologna, Virtus Bologne
Fortitudo Bologna|Lavoropiu Fortitudo Bologna, Pompea Fortitudo Bologna, Kigili Fortitudo Bologna
Reyer Venezia|Venezia, Umana Reyer Venezia, Umana Venezia, Venice, Reyer Venise, Umana Reyer, Venise
Dinamo Sassari|Sassari, Banco di Sardegna Sassari, Dinamo Banco di Sardegna Sassari, Banco Sardegna Sassari
Brescia|Germani Brescia, Basket Brescia Leonessa, Pallacanestro Brescia, Centrale del Latte Brescia, Germani Basket Brescia, Leonessa Brescia
Trento|Dolomiti Energia Trento, Aquila Basket Trento, Dolomiti Energia Trentino, Aquila Trento
Brindisi|Happy Casa Brindisi, New Basket Brindisi, Enel Brindisi
Cremona|Vanoli Cremona, Vanoli Basket Cremona, Guerino Vanoli Cremona, Vanoli Braga Cremona
Varese|Pallacanestro Varese, Openjobmetis Varese, Cimberio Varese, Itelyum Varese
Cantu|Pallacanestro Cantu, Acqua San Bernardo Cantu, Red October Cantu, Bennet Cantu, S Bernardo Cantu
Treviso|De Longhi Treviso, Nutribullet Treviso, Treviso Basket, Universo Treviso Basket, Benetton Treviso, De Longhi Treviso Basket
Pesaro|Victoria Libertas Pesaro, Carpegna Prosciutto Pesaro, Scavolini Pesaro, VL Pesaro, Consultinvest Pesaro
Reggio Emilia|Pallacanestro Reggiana, UnaHotels Reggio Emilia, Grissin Bon Reggio Emilia, Reggiana, Trenkwalder Reggio Emilia
Trieste|Allianz Trieste, Pallacanestro Trieste, Alma Trieste
Tortona|Derthona, Derthona Tortona, Bertram Tortona, Bertram Derthona Tortona, Derthona Basket
Napoli|Napoli Basket, Gevi Napoli, GeVi Napoli Basket
Verona|Scaligera Verona, Tezenis Verona
Pistoia|Giorgio Tesi Pistoia, OriOra Pistoia, Estra Pistoia, Pistoia Basket
Scafati|Givova Scafati, Scafati Basket
Torino|Basket Torino, Reale Mutua Torino, Fiat Torino, Auxilium Torino, Auxilium CUS Torino, Auxilium Fiat Torino
Udine|APU Udine, Old Wild West Udine, Apu Old Wild West Udine, Snaidero Udine
Bergamo|Bergamo Basket, Withu Bergamo, Azimut Bergamo, Bergamo Basket 2014
Avellino|Scandone Avellino, Sidigas Avellino, Felice Scandone Avellino
Virtus Roma|Roma, Lottomatica Roma, Acea Roma
Capo d Orlando|Orlandina, Orlandina Basket, Betaland Capo d Orlando
ASVEL|ASVEL Villeurbanne, LDLC ASVEL, LDLC ASVEL Villeurbanne, Lyon-Villeurbanne, Lyon Villeurbanne, Villeurbanne, ASVEL Lyon Villeurbanne
Monaco|AS Monaco, AS Monaco Basket
Paris Basketball|Paris Basket, Paris
Metropolitans 92|Boulogne-Levallois, Boulogne Levallois, Levallois Metropolitans, Paris Levallois, Levallois, Metropolitans, Nanterre Metropolitans, Boulogne-Levallois Metropolitans 92
Nanterre 92|Nanterre, JSF Nanterre
Strasbourg|SIG Strasbourg, Strasbourg IG, SIG Basket, SIG Basket Strasbourg
Le Mans|Le Mans Sarthe, Le Mans Sarthe Basket, MSB, Le Mans SB
Limoges|Limoges CSP, CSP Limoges, Cercle Saint-Pierre Limoges
Dijon|JDA Dijon, JDA Dijon Basket, JDA Bourgogne Dijon
Cholet|Cholet Basket
Gravelines|BCM Gravelines, Gravelines-Dunkerque, BCM Gravelines-Dunkerque, Gravelines Dunkerque, BCM Gravelines Dunkerque
Chalon|Elan Chalon, Chalon-sur-Saone, Elan Sportif Chalonnais, Chalon/Saone, Elan Chalon-sur-Saone
Bourg en Bresse|JL Bourg, JL Bourg en Bresse, JL Bourg Basket, Cofidis Bourg, Bourg-en-Bresse, Mincidelice JL Bourg
Pau|Elan Bearnais, Pau-Lacq-Orthez, Pau Orthez, Elan Bearnais Pau, EB Pau-Orthez, Elan Bearnais Pau-Lacq-Orthez, Pau Lacq Orthez
Roanne|Chorale Roanne, Chorale de Roanne, Chorale Roanne Basket
Chalons-Reims|Champagne Basket, Champagne Chalons Reims, Chalons Reims, Champagne Chalons-Reims
Orleans|Orleans Loiret, Orleans Loiret Basket, OLB, Entente Orleanaise
Le Portel|ESSM Le Portel, ES St Martin Le Portel, Le Portel Cote d Opale, ESSM
Boulazac|Boulazac Basket Dordogne, Boulazac BD
Fos-sur-Mer|Fos Provence, Fos Provence Basket, Fos Ouest Provence Basket, Provence Basket, Fos Provence Basket Club
Nancy|SLUC Nancy, SLUC
Blois|ADA Blois, ADA Blois Basket
Antibes|Sharks Antibes, Antibes Sharks, Olympique Antibes
Saint-Quentin|Saint Quentin BB, SQBB, St-Quentin
Poitiers|Poitiers Basket 86, PB86
Rouen|Rouen Metropole Basket, SPO Rouen
Evreux|ALM Evreux, ALM Evreux Basket
Vichy|Vichy-Clermont, JA Vichy, JA Vichy-Clermont
Bayern Munich|FC Bayern Munchen, Bayern Munchen, FC Bayern Munich, Bayern, FC Bayern
Alba Berlin|Alba, Berlin
Brose Bamberg|Bamberg, Brose Baskets Bamberg, Bamberg Baskets, Brose Baskets
EWE Baskets Oldenburg|Oldenburg, Baskets Oldenburg
Ratiopharm Ulm|Ulm, Ratiopharm Ulm Basketball
MHP Riesen Ludwigsburg|Ludwigsburg, Riesen Ludwigsburg, EnBW Ludwigsburg
Telekom Baskets Bonn|Bonn, Baskets Bonn
Skyliners Frankfurt|Frankfurt, Fraport Skyliners, Frankfurt Skyliners, Deutsche Bank Skyliners
Hamburg Towers|Hamburg, Veolia Towers Hamburg
Medi Bayreuth|Bayreuth
S.Oliver Wurzburg|Wurzburg, Wurzburg Baskets, Fitness First Wurzburg Baskets, s.Oliver Baskets
Lowen Braunschweig|Braunschweig, Basketball Lowen Braunschweig, New Yorker Phantoms
BG Gottingen|Gottingen
Giessen 46ers|Giessen, Jobstairs Giessen 46ers, Gießen 46ers
Rasta Vechta|Vechta, SC Rasta Vechta
Crailsheim Merlins|Crailsheim, Hakro Merlins Crailsheim
Mitteldeutscher BC|MBC, Syntainics MBC, Weissenfels, Mitteldeutscher
Niners Chemnitz|Chemnitz, Chemnitz 99
Rostock Seawolves|Rostock
Academics Heidelberg|Heidelberg, MLP Academics Heidelberg
Anadolu Efes|Efes, Efes Istanbul, Anadolu Efes Istanbul, Efes Pilsen, Anadolu Efes SK
Fenerbahce|Fenerbahce Beko, Fenerbahce Ulker, Fenerbahce Istanbul, Fenerbahce Dogus, Fenerbahce Beko Istanbul
Galatasaray|Galatasaray Nef, Galatasaray Odeabank, Galatasaray Doga Sigorta, Galatasaray Ekmas, Galatasaray Istanbul
Besiktas|Besiktas Icrypex, Besiktas Sompo Japan, Besiktas Emlakjet, Besiktas Fibabanka, Besiktas Istanbul
Darussafaka|Darussafaka Tekfen, Darussafaka Dogus, Darussafaka Istanbul, Darussafaka Lassa
Bahcesehir|Bahcesehir Koleji, Bahcesehir College
Tofas Bursa|Tofas, Bursa, Tofas SK
Pinar Karsiyaka|Karsiyaka, KSK, Karsiyaka Izmir
Turk Telekom|Turk Telekom Ankara, Ankara
Gaziantep|Gaziantep Basketbol, Gaziantep BBK
Bursaspor|Frutti Extra Bursaspor, Bursaspor Info Yatirim
Buyukcekmece|Buyukcekmece Basketbol, Demir Insaat Buyukcekmece, Onvo Buyukcekmece, Yukatel Buyukcekmece, Arel Universitesi Buyukcekmece, Buyukcekmece BB
Aliaga Petkim|Petkim Spor, Petkimspor, Aliaga Petkimspor, Petkim, Socar Petkim, Socar Petkim Spor, Yukatel Merkezefendi
Manisa|Manisa BBSK, Manisa BB, Glint Manisa
Ormanspor|OGM Ormanspor, OGM Orman, Orman GSK
ITU Istanbul|ITU, ITU BB, Istanbul Teknik Universitesi, Istanbul Technical University, Sigortam.net ITU BB, Istanbul Teknik Universitesi BB
Olympiacos|Olympiakos, Olympiacos Piraeus, Olympiakos Piraeus, Olympiakos Le Piree
Panathinaikos|PAO, Panathinaikos OPAP, Panathinaikos Athens, Panathinaikos AKTOR, Panathinaikos Superfoods
AEK Athens|AEK, AEK BC
PAOK|PAOK Thessaloniki, PAOK mateco
Aris|Aris Thessaloniki, Aris Midea
Promitheas Patras|Promitheas, Prometheus, Prometheus Patras, ASP Promitheas, Promitheas Patras BC
Peristeri|Peristeri Athens, GS Peristeri, Peristeri bwin, Peristeri Vikos Cola
Kolossos Rhodes|Kolossos, Kolossos Rodou, Kolossos H Hotels, Kolossos Rhodos
Larisa|GS Larisa, AE Larisa, Larissa, Larisa BC, Ermis Agias
Lavrio|GS Lavrio, GS Lavriou, Lavrio Megabolt
Iraklis Thessaloniki|Iraklis
Maroussi|Maroussi Athens, Marousi
Crvena Zvezda|Red Star, Red Star Belgrade, KK Crvena Zvezda, Crvena Zvezda Belgrade, Crvena Zvezda mts, Crvena Zvezda Meridianbet, Crvena Zvezda Telekom, Etoile Rouge Belgrade, KK Crvena Zvezda Belgrade
Partizan|Partizan Belgrade, Partizan NIS, Partizan Mozzart Bet, KK Partizan, KK Partizan Belgrade, Partizan Nis Belgrade, Partizan Beograd
Buducnost|Buducnost Podgorica, Buducnost VOLI, KK Buducnost, Podgorica
Cedevita Olimpija|Olimpija Ljubljana, Cedevita Olimpija Ljubljana, Union Olimpija
Cedevita Zagreb|Cedevita, KK Cedevita
Cibona|Cibona Zagreb, KK Cibona
Zadar|KK Zadar
Split|KK Split
Igokea|Igokea Aleksandrovac, KK Igokea, Igokea m:tel
Mega|Mega Basket, Mega Bemax, Mega Leks, Mega Soccerbet, Mega MIS, Mega Vizura, KK Mega Basket, KK Mega Leks, BC Mega Bemax
FMP|FMP Belgrade, FMP Meridian, KK FMP, FMP Beograd
Borac Cacak|Borac, KK Borac Cacak, Borac Mozzart
Mornar Bar|Mornar, KK Mornar
Krka|Krka Novo Mesto, KK Krka
Zalgiris|Zalgiris Kaunas, BC Zalgiris
Rytas Vilnius|Rytas, Lietuvos Rytas, Lietuvos Rytas Vilnius, BC Rytas, BC Lietuvos Rytas, BC Rytas Vilnius
Neptunas|Neptunas Klaipeda, BC Neptunas
Lietkabelis|Lietkabelis Panevezys, BC Lietkabelis, 7bet-Lietkabelis Panevezys
Juventus Utena|Uniclub Casino Juventus, BC Juventus, Utenos Juventus, Uniclub Casino - Juventus
Siauliai|BC Siauliai, Siauliai-7bet
Prienai|Prienai Birstonas, CBet Prienai, Labas GAS Prienai
Wolves Vilnius|BC Wolves, Vilnius Wolves, Twinsbet Wolves
VEF Riga|VEF, BK VEF Riga
Maccabi Tel Aviv|Maccabi Playtika Tel Aviv, Maccabi Fox Tel Aviv, Maccabi Rapyd Tel Aviv, Maccabi Electra Tel Aviv
Hapoel Tel Aviv|Hapoel Shlomo Tel Aviv, Hapoel IBI Tel Aviv
Hapoel Jerusalem|Hapoel Bank Yahav Jerusalem, Jerusalem
Hapoel Holon|Unet Holon, Hapoel Unet Holon, Holon, Hapoel Atsmon Playgrounds Holon, Hapoel Unet Credit Holon
CSKA Moscow|CSKA, CSKA Moskva, CSKA Moscou
Zenit Saint Petersburg|Zenit, Zenit St Petersburg, BC Zenit, Zenit Petersburg, Zenit Saint-Petersbourg
UNICS Kazan|UNICS, Unics, Kazan, BC UNICS
Khimki|BC Khimki, Khimki Moscow, Khimki Moscow Region, Khimki Moscou
Lokomotiv Kuban|Lokomotiv Kuban Krasnodar, Loko Kuban, PBC Lokomotiv Kuban, Krasnodar
Nizhny Novgorod|BC Nizhny Novgorod, Pari Nizhny Novgorod, Pari NN
Avtodor Saratov|Avtodor, Saratov
Parma Perm|Parma, Parma Basket, BC Parma, Parma-Pari
Enisey Krasnoyarsk|Enisey, Enisei, Yenisey Krasnoyarsk, Krasnoyarsk
Samara|BC Samara
Tsmoki Minsk|Tsmoki, BC Minsk, Minsk, BC Tsmoki Minsk, BC Minsk 2006
Astana|BC Astana, President Astana, Presidential Astana
Kalev Cramo|Kalev Tallinn, BC Kalev Cramo, BC Kalev, Kalev/Cramo
Leuven Bears|Leuven, Stella Artois Leuven Bears, Louvain
Oostende|Filou Oostende, BC Oostende, Telenet Oostende, BC Ostende, Telenet Ostende
Antwerp Giants|Antwerp, Port of Antwerp Giants, Telenet Giants Antwerp, Windrose Giants Antwerp, Telenet Antwerp Giants
Spirou Charleroi|Charleroi, Spirou, Proximus Spirou, Spirou Basket, RSW Liege
Limburg United|Hubo Limburg United, Limburg, Hubo Limburg
Mons-Hainaut|Belfius Mons-Hainaut, Dexia Mons-Hainaut, Mons, Union Mons Hainaut
Kangoeroes Mechelen|Mechelen, Kangoeroes Willebroek, Kangoeroes Basket Mechelen, Willebroek
Donar Groningen|Donar, Groningen, Gasterra Flames
ZZ Leiden|Leiden, Zorg en Zekerheid Leiden, ZZLeiden, BS Leiden
Heroes Den Bosch|Den Bosch, New Heroes Den Bosch
Bakken Bears|Bakken Bears Aarhus, Aarhus Bakken Bears
Stelmet Zielona Gora|Zielona Gora, Enea Zastal Zielona Gora, Stelmet Enea Zielona Gora, Zastal Zielona Gora
Anwil Wloclawek|Anwil, Wloclawek
Szolnoki Olaj|Szolnok, Szolnoki Olajbanyasz
Falco Szombathely|Falco, Falco Vulcano, Szombathely, Egis Kormend
Kyiv Basket|BC Kyiv, Kyiv-Basket, CB Kiev, BC Kyiv Basket
U-BT Cluj|Cluj, U-Banca Transilvania Cluj-Napoca, CS Universitatea Cluj, U BT Cluj-Napoca
London Lions|London
Sydney Kings|Sydney
Perth Wildcats|Perth
Melbourne United|Melbourne Utd, Melbourne Tigers
South East Melbourne Phoenix|SE Melbourne Phoenix, S.E. Melbourne Phoenix, SEM Phoenix, South East Melbourne, SE Melbourne
Brisbane Bullets|Brisbane
Adelaide 36ers|Adelaide
Cairns Taipans|Cairns
Illawarra Hawks|Illawarra, Wollongong Hawks, The Hawks
New Zealand Breakers|NZ Breakers, Breakers, Sky Sport Breakers, Nouvelle-Zelande Breakers
Tasmania JackJumpers|Tasmania, Tasmania Jack Jumpers
Keravnos|Keravnos Nicosia, Keravnos Strovolou, Keravnos Strovolou Nicosia
`,
  baseball: `
Yomiuri Giants|Yomiuri, Tokyo Yomiuri Giants
Hanshin Tigers|Hanshin
Chunichi Dragons|Chunichi
Hiroshima Toyo Carp|Hiroshima Carp, Hiroshima
Yokohama DeNA BayStars|Yokohama BayStars, DeNA BayStars, Yokohama, Yokohama DeNA, BayStars, DeNA
Tokyo Yakult Swallows|Yakult Swallows, Yakult, Swallows
Fukuoka SoftBank Hawks|SoftBank Hawks, Fukuoka Hawks, Fukuoka, SoftBank, Fukuoka S. Hawks
Saitama Seibu Lions|Seibu Lions, Seibu, Saitama Lions, Saitama
Tohoku Rakuten Golden Eagles|Rakuten Golden Eagles, Rakuten Eagles, Rakuten, Tohoku Rakuten, Tohoku Golden Eagles, Rakuten Gold. Eagles
Chiba Lotte Marines|Lotte Marines, Chiba Lotte, Chiba Marines
Orix Buffaloes|Orix
Hokkaido Nippon Ham Fighters|Nippon Ham Fighters, Nippon-Ham, Hokkaido Fighters, Nippon Ham, Hokkaido Nippon-Ham, Nippon Fighters
Doosan Bears|Doosan
LG Twins|LG
Kiwoom Heroes|Kiwoom, Nexen Heroes
SSG Landers|SSG, SK Wyverns, SK
NC Dinos|NC
KT Wiz|KT, KT Wiz Suwon
KIA Tigers|KIA
Samsung Lions|Samsung
Lotte Giants|Lotte
Hanwha Eagles|Hanwha
CTBC Brothers|Chinatrust Brothers, Brothers
Uni-President Lions|Uni Lions, Uni-President 7-Eleven Lions, Uni President
Rakuten Monkeys|Lamigo Monkeys
Fubon Guardians|Fubon
Wei Chuan Dragons|Wei-Chuan Dragons, Weichuan Dragons
TSG Hawks|TSG
`,
  football: `
BC Lions|British Columbia Lions, British Columbia, BC
Calgary Stampeders|Calgary, Stampeders, Stamps
Edmonton Elks|Edmonton, Edmonton Eskimos, Elks
Saskatchewan Roughriders|Saskatchewan, Roughriders, Riders
Winnipeg Blue Bombers|Winnipeg, Blue Bombers, Bombers
Hamilton Tiger-Cats|Hamilton, Tiger-Cats, Ticats, Hamilton Ti-Cats
Toronto Argonauts|Toronto, Argonauts, Argos
Ottawa Redblacks|Ottawa, Redblacks, Ottawa Red Blacks
Montreal Alouettes|Montreal, Alouettes, Als
Birmingham Stallions|Birmingham
St Louis Battlehawks|St. Louis Battlehawks, Battlehawks, St Louis
DC Defenders|Defenders, DC
San Antonio Brahmas|San Antonio, Brahmas
Memphis Showboats|Showboats
Michigan Panthers|
Arlington Renegades|Arlington, Renegades
Houston Roughnecks|Roughnecks
`,
  cricket: `
Chennai Super Kings|CSK, Chennai
Mumbai Indians|MI, Mumbai
Royal Challengers Bengaluru|RCB, Royal Challengers Bangalore, Bangalore, Bengaluru, RC Bengaluru
Kolkata Knight Riders|KKR, Kolkata
Delhi Capitals|DC, Delhi, Delhi Daredevils
Punjab Kings|PBKS, Kings XI Punjab, Punjab
Rajasthan Royals|RR, Rajasthan
Sunrisers Hyderabad|SRH, Hyderabad
Gujarat Titans|GT, Gujarat
Lucknow Super Giants|LSG, Lucknow
Sydney Sixers|
Sydney Thunder|
Melbourne Stars|
Melbourne Renegades|
Perth Scorchers|Perth, Scorchers
Brisbane Heat|Brisbane
Adelaide Strikers|Adelaide, Strikers
Hobart Hurricanes|Hobart, Hurricanes
Karachi Kings|Karachi
Lahore Qalandars|Lahore
Islamabad United|Islamabad, Islamabad Utd
Multan Sultans|Multan
Peshawar Zalmi|Peshawar
Quetta Gladiators|Quetta
Trinbago Knight Riders|TKR, Trinidad Knight Riders, Trinbago
Barbados Royals|Barbados Tridents
Guyana Amazon Warriors|Guyana Warriors
Jamaica Tallawahs|
Saint Lucia Kings|St Lucia Kings, St Lucia Zouks
St Kitts and Nevis Patriots|St Kitts & Nevis Patriots, St Kitts Nevis Patriots
Antigua and Barbuda Falcons|Antigua & Barbuda Falcons
MI Cape Town|Mumbai Indians Cape Town
Sunrisers Eastern Cape|
Paarl Royals|Paarl
Joburg Super Kings|Johannesburg Super Kings, JSK
Pretoria Capitals|Pretoria
Durban Super Giants|Durban's Super Giants, Durbans Super Giants, Durban
Birmingham Phoenix|
London Spirit|
Manchester Originals|
Northern Superchargers|
Oval Invincibles|
Southern Brave|
Trent Rockets|
Welsh Fire|
Birmingham Bears|Warwickshire, Warwickshire Bears
Derbyshire Falcons|Derbyshire
Durham|Durham Cricket, Durham Jets
Essex Eagles|Essex
Glamorgan|
Gloucestershire|Gloucestershire Gladiators
Hampshire Hawks|Hampshire, Hampshire Royals
Kent Spitfires|Kent
Lancashire Lightning|Lancashire
Leicestershire Foxes|Leicestershire
Middlesex|Middlesex Panthers
Northamptonshire Steelbacks|Northamptonshire, Northants Steelbacks, Northants
Nottinghamshire Outlaws|Nottinghamshire, Notts Outlaws, Nottinghamshire Notts, Notts
Somerset|
Surrey|Surrey Lions
Sussex Sharks|Sussex
Worcestershire Rapids|Worcestershire, Worcester Rapids
Yorkshire Vikings|Yorkshire
`,
  rugby: `
Bath|Bath Rugby
Bristol Bears|Bristol, Bristol Rugby
Exeter Chiefs|Exeter
Gloucester|Gloucester Rugby
Harlequins|Quins, London Harlequins
Leicester Tigers|Leicester
Newcastle Falcons|Newcastle, Newcastle Red Bulls
Northampton Saints|Northampton
Sale Sharks|Sale
Saracens|
London Irish|
Wasps|London Wasps
Worcester Warriors|Worcester
Stade Toulousain|Toulouse, ST
Stade Francais|Stade Francais Paris, Paris, SF Paris, Stade Français Paris Rugby
Stade Rochelais|La Rochelle, Atlantique Stade Rochelais, Rochelais, La Rochelle Rugby
Racing 92|Racing Metro, Racing Metro 92, Racing Club 92, Racing
Toulon|RC Toulon, RCT, RC Toulonnais, Toulonnais
Clermont|ASM Clermont, ASM Clermont Auvergne, Clermont Auvergne, Clermont-Ferrand
Bordeaux Begles|Union Bordeaux Begles, UBB, Bordeaux, Bordeaux-Begles, Union Bordeaux-Begles
Lyon|LOU, Lyon OU, LOU Rugby, Lyon LOU
Montpellier|Montpellier Herault, MHR, Montpellier HR, Montpellier Herault Rugby
Castres|Castres Olympique, CO
Pau|Section Paloise, Section Paloise Pau, Section Pau
Brive|CA Brive, CA Brive Correze, CAB
Agen|SU Agen, SUA, SU Agen LG, SUALG
Bayonne|Aviron Bayonnais, Aviron Bayonnais Bayonne
Biarritz|Biarritz Olympique, BO
Perpignan|USA Perpignan, USAP, Usap Perpignan
Oyonnax|US Oyonnax, USO, Oyonnax Rugby
Grenoble|FC Grenoble, FCG, FC Grenoble Rugby
Vannes|RC Vannes, Rugby Club Vannes
Nevers|USON Nevers, USO Nevers, USON
Mont-de-Marsan|Stade Montois, Mont de Marsan, Mt de Marsan, Stade Montois Rugby
Beziers|AS Beziers, ASBH, AS Beziers Herault
Colomiers|US Colomiers, Colomiers Rugby
Carcassonne|US Carcassonne, USC
Aurillac|Stade Aurillacois, Stade Aurillacois Cantal Auvergne
Provence Rugby|Provence, Aix, Aix-en-Provence, PARC
Montauban|US Montauban, USM Sapiac, Montauban Sapiac
Soyaux-Angouleme|Angouleme, SA XV, SA XV Charente, Soyaux Angouleme XV, Soyaux Angouleme, Soyaux-Angoulême XV
Rouen|Rouen Normandie, Rouen Normandie Rugby
Valence Romans|Valence-Romans, Valence Romans Drome, VRDR
Dax|US Dax
Narbonne|RC Narbonne, RCNM, Racing Narbonne
Massy|RC Massy
Bourgoin|CS Bourgoin-Jallieu, Bourgoin-Jallieu
Albi|SC Albi
Leinster|Leinster Rugby
Munster|Munster Rugby
Ulster|Ulster Rugby
Connacht|Connacht Rugby
Cardiff|Cardiff Blues, Cardiff Rugby
Ospreys|
Scarlets|Llanelli Scarlets, Llanelli
Dragons|Newport Gwent Dragons, Dragons RFC, Newport
Edinburgh|Edinburgh Rugby, Edimbourg
Glasgow Warriors|Glasgow
Benetton Treviso|Benetton, Treviso, Benetton Rugby, Benetton Rugby Treviso
Zebre|Zebre Parma, Zebre Rugby, Zebre Rugby Club, Zebre Parme
Stormers|Western Stormers, DHL Stormers
Bulls|Blue Bulls, Vodacom Bulls, Northern Bulls
Sharks|Natal Sharks, Durban Sharks, Cell C Sharks, Hollywoodbets Sharks, Sharks Durban
Lions|Golden Lions, Emirates Lions, Johannesburg Lions
Cheetahs|Free State Cheetahs, Toyota Cheetahs
Griquas|GWK Griquas, Tafel Lager Griquas, Windhoek Draught Griquas, ORC Griquas, Wildeklawer Griquas
Pumas|Mpumalanga Pumas, Steval Pumas, Phakisa Pumas
Southern Kings|Kings, Isuzu Southern Kings
Western Province|WP, DHL Western Province
Crusaders|Canterbury Crusaders
Blues|Auckland Blues
Chiefs|Waikato Chiefs
Hurricanes|Wellington Hurricanes
Highlanders|Otago Highlanders
Moana Pasifika|Moana
Fijian Drua|Fiji Drua, Drua
Brumbies|ACT Brumbies
Queensland Reds|Reds, Queensland
NSW Waratahs|Waratahs, New South Wales Waratahs, New South Wales
Western Force|Force, W Force
Melbourne Rebels|Rebels, Melbourne
Jaguares|
Sunwolves|
Hawkes Bay|Hawke's Bay, Hawke's Bay Magpies, Hawkes Bay Magpies, Hawke's Bay Rugby Union
Counties Manukau|Counties Manukau Steelers
Bay of Plenty|Bay of Plenty Steamers
`,
  rugby_league: `
Brisbane Broncos|Broncos, Brisbane
Canberra Raiders|Raiders, Canberra
Canterbury Bulldogs|Bulldogs, Canterbury-Bankstown Bulldogs, Canterbury, Canterbury Bankstown
Cronulla Sharks|Sharks, Cronulla-Sutherland Sharks, Cronulla, Cronulla Sutherland
Dolphins|The Dolphins, Redcliffe Dolphins
Gold Coast Titans|Titans, Gold Coast
Manly Sea Eagles|Sea Eagles, Manly-Warringah Sea Eagles, Manly, Manly Warringah
Melbourne Storm|Storm, Melbourne
Newcastle Knights|Knights, Newcastle
New Zealand Warriors|NZ Warriors, New Zealand, Auckland Warriors
North Queensland Cowboys|Cowboys, North Queensland, NQ Cowboys, Nth Queensland Cowboys
Parramatta Eels|Eels, Parramatta
Penrith Panthers|Panthers, Penrith
South Sydney Rabbitohs|Rabbitohs, South Sydney, Souths, Sth Sydney Rabbitohs
St George Illawarra Dragons|St George Illawarra, St George Dragons, St. George Illawarra
Sydney Roosters|Roosters, Eastern Suburbs, Sydney
Wests Tigers|West Tigers, Wests
Castleford Tigers|Castleford
Catalans Dragons|Catalans, Dragons Catalans, Catalan Dragons
Huddersfield Giants|Huddersfield
Hull FC|Hull F.C.
Hull Kingston Rovers|Hull KR, HKR
Leeds Rhinos|Leeds, Rhinos
Leigh Leopards|Leigh, Leigh Centurions
Salford Red Devils|Salford
St Helens|Saints, St. Helens
Wakefield Trinity|Wakefield, Wakefield Wildcats
Warrington Wolves|Warrington
Wigan Warriors|Wigan
Toulouse Olympique|Toulouse, Toulouse Olympique XIII
London Broncos|London
Bradford Bulls|Bradford
`,
  handball: `
Paris Saint-Germain|PSG, PSG Handball, Paris, Paris SG, Paris Saint-Germain Handball, Paris Handball
Montpellier|Montpellier HB, Montpellier Handball, Montpellier Agglomeration HB, MHB
Nantes|HBC Nantes, HB Nantes, H Nantes
Saint-Raphael|Saint-Raphael Var, St Raphael, Saint-Raphael Var Handball, SRVHB
Aix|Pays d'Aix, PAUC, PAUC Handball, Aix-en-Provence, Pays d'Aix UC, Pays d'Aix UCHB, Pays Aix UC, Pays Aix UCH, Provence Aix UC
Chambery|Chambery Savoie, Chambery Savoie MB, Team Chambery, Chambery Savoie Mont-Blanc
Toulouse|Fenix Toulouse, Fenix Toulouse HB, Toulouse Handball, Toulouse Union, Toulouse Union HB
Nimes|USAM Nimes, USAM Nimes Gard, Usam Nimes Gard
Dunkerque|US Dunkerque, USDK, Dunkerque HB Grand Littoral, Dunkerque Grand Littoral, US Dunkerque HB, Dunkerque HB
Tremblay|Tremblay-en-France, Tremblay en France, Tremblay Handball
Creteil|US Creteil, US Creteil HB
Ivry|US Ivry, US Ivry HB, Union Sportive Ivry
Cesson-Rennes|Cesson, Cesson Rennes Metropole, Cesson Rennes MHB, Cesson Rennes
Chartres|C Chartres MHB, Chartres Metropole, C'Chartres, Chartres MHB
Istres|Istres Provence, Istres Provence Handball, Istres OPHB
Limoges|Limoges Handball, Limoges LH, Limoges Hand 87, LH87
Nancy|Grand Nancy, Grand Nancy Metropole, GNMHB, Grand Nancy HB
Selestat|Selestat Alsace, SAHB
Saran|Saran Loiret, Saran Loiret HB
Massy|Massy Essonne, Massy Essonne HB
Dijon|Dijon Metropole, Dijon Metropole HB, Dijon Bourgogne, JDA Dijon
Pontault-Combault|UMS Pontault-Combault, Pontault Combault, Pontault
Besancon|Grand Besancon, Grand Besancon Doubs, GBDH, ES Besancon, ESBF
Nice|OGC Nice, Cavigal Nice, Cavigal, Cavigal Nice HB, AS BTP Nice, Cavigal Nice Sports Handball
Sarrebourg|Sarrebourg Moselle Sud, SMS Sarrebourg
Angers|Angers SCO, Angers-Noyant, Angers Noyant
Strasbourg|Eurometropole de Strasbourg, ESSAHB, Strasbourg Eurometropole
THW Kiel|Kiel
Flensburg-Handewitt|SG Flensburg-Handewitt, Flensburg, SG Flensburg
Rhein-Neckar Lowen|Rhein Neckar, RN Lowen, Rhein Neckar Loewen, RNL, Rhein-Neckar
SC Magdeburg|Magdeburg
Fuchse Berlin|Berlin, Fuechse Berlin, Foxes Berlin
MT Melsungen|Melsungen
SC DHfK Leipzig|Leipzig, DHfK Leipzig
TBV Lemgo|Lemgo, TBV Lemgo Lippe, Lemgo Lippe
Frisch Auf Goppingen|Goppingen, FA Goppingen, FrischAuf Goppingen
TSV Hannover-Burgdorf|Hannover-Burgdorf, Hannover, Hannover Burgdorf, TSV Hannover, Die Recken
Bergischer HC|Bergischer, BHC
HSG Wetzlar|Wetzlar
GWD Minden|Minden
TVB Stuttgart|Stuttgart, TVB 1898 Stuttgart
HC Erlangen|Erlangen
HBW Balingen|Balingen, Balingen-Weilstetten, HBW Balingen-Weilstetten
TuS N-Lubbecke|N-Lubbecke, Nettelstedt-Lubbecke, TuS Nettelstedt-Lubbecke, Lubbecke, Nettelstedt
HSV Hamburg|Hamburg, HSV Handball, Handball Sport Verein Hamburg
Gummersbach|VfL Gummersbach
Eulen Ludwigshafen|Ludwigshafen, Die Eulen Ludwigshafen
HSG Nordhorn|Nordhorn, Nordhorn-Lingen, HSG Nordhorn-Lingen
Coburg|HSC 2000 Coburg, HSC Coburg
Barcelona|FC Barcelona, Barca, FC Barcelona Lassa, FC Barcelona Intersport, FC Barcelone, Barcelone
Granollers|BM Granollers, Fraikin Granollers, Fraikin BM Granollers
Bidasoa Irun|Bidasoa, CD Bidasoa, CD Bidasoa Irun
Ademar Leon|Ademar, Abanca Ademar Leon, BM Ademar Leon, Reale Ademar Leon, Abanca Ademar
Logrono|BM Logrono, Naturhouse La Rioja, La Rioja, Logrono La Rioja, BM Logrono La Rioja, Ciudad de Logrono
Cuenca|Liberbank Cuenca, BM Ciudad Encantada, Ciudad Encantada, Incarlopsa Cuenca, Rebi Cuenca, Liberbank Ciudad Encantada
Puerto Sagunto|BM Puerto Sagunto, Fertiberia Puerto Sagunto, Fertiberia, Alser Puerto Sagunto, Sagunto
Anaitasuna|Helvetia Anaitasuna, SCDR Anaitasuna, Pamplona
Valladolid|BM Valladolid, Recoletas Valladolid, Recoletas Atletico Valladolid, Atletico Valladolid
Puente Genil|Angel Ximenez Puente Genil, Angel Ximenez, BM Puente Genil
Huesca|Bada Huesca, BM Huesca
Benidorm|BM Benidorm
Sinfin|BM Sinfin, Sinfin Santander
Cangas|Frigorificos Morrazo Cangas, Frigorificos Morrazo, BM Cangas
Aalborg|Aalborg Handbold, Aalborg Haandbold, AaB
GOG|GOG Handbold, GOG Gudme
Bjerringbro-Silkeborg|Bjerringbro, Bjerringbro/Silkeborg, BSV
Skjern|Skjern Handbold
TTH Holstebro|Holstebro, Team Tvis Holstebro, Tvis Holstebro
Skanderborg|Skanderborg Handbold, Skanderborg Aarhus
Mors-Thy|Mors-Thy Handbold, Mors Thy
Veszprem|Telekom Veszprem, KC Veszprem, MKB Veszprem, One Veszprem
Pick Szeged|Szeged, SC Pick Szeged, MOL-Pick Szeged, MOL Pick Szeged, OTP Bank Pick Szeged
Tatabanya|Grundfos Tatabanya, Grundfos Tatabanya KC, Tatabanya Carbonex, Tatabanya KC
Kielce|Vive Kielce, PGE Vive Kielce, Industria Kielce, Lomza Kielce, Vive Tauron Kielce, KS Kielce, Lomza Vive Kielce, Barlinek Industria Kielce
Wisla Plock|Orlen Wisla Plock, Plock, SPR Wisla Plock
Zagreb|PPD Zagreb, RK Zagreb, RK PPD Zagreb, RK Zagreb PPD, Prvo Plinarsko Drustvo Zagreb
Celje|Celje Pivovarna Lasko, Pivovarna Lasko, RK Celje, Celje Lasko, RK Celje Pivovarna Lasko
Vardar|Vardar Skopje, RK Vardar, HC Vardar, HC Vardar 1961, RK Vardar Skopje
Metalurg Skopje|Metalurg, RK Metalurg, HC Metalurg
Meshkov Brest|Brest, Brest HC, HC Meshkov Brest, HC Brest, BGK Meshkov Brest
Motor Zaporozhye|Motor, Motor Zaporizhzhia, HC Motor Zaporozhye, Zaporozhye
Kadetten Schaffhausen|Kadetten, Schaffhausen
Porto|FC Porto, FC Porto Sofarma
Sporting CP|Sporting, Sporting Lisbon, Sporting Portugal, Sporting Lisbonne
Benfica|SL Benfica, Benfica Lisbon
Elverum|Elverum Handball, Elverum Handball Herrer
Kristianstad|IFK Kristianstad
Savehof|IK Savehof
Dinamo Bucuresti|CS Dinamo Bucuresti, Dinamo Bucharest, Dinamo Bucarest
CSM Bucuresti|CSM Bucharest, CSM Bucarest, Bucarest
Gyor|Gyori Audi ETO, Gyori ETO, Audi ETO, Gyori AUDI ETO KC, Gyor Audi ETO, Gyori Audi ETO KC
Ferencvaros|FTC, FTC Budapest, FTC-Rail Cargo Hungaria, Ferencvarosi TC, FTC Rail Cargo, FTC-RightPhone, Ferencvarosi Torna Club
Debrecen|DVSC, DVSC Schaeffler, DVSC-Korvex, DVSC-Forum Debrecen, Debreceni VSC, DVSC TVP, DVSC Debrecen
Erd|Erd HC, Erdi VSE, ETV-Erdi VSE, Moyra-Budaors
Metz|Metz Handball, HB Metz
Fleury|Fleury Loiret, CJF Fleury, CJF Fleury Loiret, Fleury Loiret HB, CJF Fleury Les Aubrais
Bietigheim|SG BBM Bietigheim, BBM Bietigheim, SG Bietigheim
Esbjerg|Team Esbjerg
Odense|Odense Handbold
Herning-Ikast|FC Midtjylland, Midtjylland, Herning-Ikast Handbold, Ikast Handbold
Vipers Kristiansand|Vipers, Kristiansand
Rostov-Don|GK Rostov-Don, Rostov, HC Rostov-Don, Rostov Don
Astrakhanochka|Astrakhan
Krim Ljubljana|Krim, Krim Mercator, RK Krim, Krim Mercator Ljubljana, RK Krim Mercator
Podravka|Podravka Vegeta, Podravka Koprivnica, HC Podravka Vegeta, RK Podravka Vegeta
SCM Ramnicu Valcea|Ramnicu Valcea, Rm Valcea, SCM Rm Valcea, SCM Valcea
Minaur Baia Mare|Baia Mare, CS Minaur Baia Mare, HC Minaur Baia Mare, HCM Baia Mare
Buducnost|Buducnost Podgorica, ZRK Buducnost, Buducnost BEMAX
Brest Bretagne|Brest, Brest Bretagne HB, BBH
`,
  soccer: `
Flamengo|CR Flamengo, Flamengo RJ, CR Flamengo RJ
Fluminense|Fluminense FC, Fluminense RJ
Vasco da Gama|Vasco, CR Vasco da Gama, Vasco da Gama RJ, CR Vasco da Gama RJ
Botafogo|Botafogo RJ, Botafogo FR
Palmeiras|SE Palmeiras, Palmeiras SP
Corinthians|SC Corinthians, Corinthians SP, Corinthians Paulista
Sao Paulo|Sao Paulo FC, SPFC
Santos|Santos FC, Santos SP
Gremio|Gremio FBPA, Gremio RS, Gremio Porto Alegre
Internacional|SC Internacional, Internacional RS, Inter Porto Alegre, Internacional Porto Alegre
Atletico Mineiro|Atletico MG, Clube Atletico Mineiro, CA Mineiro
America Mineiro|America MG, America FC MG
Cruzeiro|Cruzeiro EC, Cruzeiro MG
Athletico Paranaense|Atletico PR, Athletico PR, CA Paranaense, Atletico Paranaense
Coritiba|Coritiba FC, Coritiba PR
Atletico Goianiense|Atletico GO, AC Goianiense
Goias|Goias EC
Bahia|EC Bahia, Bahia BA
Vitoria|EC Vitoria, Vitoria BA
Fortaleza|Fortaleza EC, Fortaleza CE
Ceara|Ceara SC, Ceara CE
Sport Recife|Recife, SC Recife, Sport, Sport Club do Recife, Sport PE, Sport Recife PE, SC Recife PE
Nautico|Nautico PE, Clube Nautico Capibaribe
Santa Cruz|Santa Cruz PE
Bragantino|RB Bragantino, Red Bull Bragantino, CA Bragantino, Bragantino SP, Clube Atletico Bragantino, CA Bragantino SP
Cuiaba|Cuiaba EC, Cuiaba MT
Juventude|EC Juventude, Juventude RS
Chapecoense|Chapecoense SC, ACF, Associacao Chapecoense
Avai|Avai FC, Avai SC
Figueirense|Figueirense SC
Criciuma|Criciuma EC
Ponte Preta|AA Ponte Preta, Ponte Preta SP
Guarani SP|Guarani Campinas
Novorizontino|Gremio Novorizontino
Mirassol|Mirassol FC
Vila Nova|Vila Nova GO
CRB|CR Brasil, CRB AL
CSA|CS Alagoano, CSA AL
Operario PR|Operario Ferroviario
Sampaio Correa|Sampaio Correa MA
Boca Juniors|Boca, CA Boca Juniors
River Plate|CA River Plate, River Plate Buenos Aires
Racing Club|Racing Avellaneda, Racing Club Avellaneda, Racing Club de Avellaneda
Independiente|CA Independiente, Independiente Avellaneda
San Lorenzo|San Lorenzo de Almagro, CA San Lorenzo
Velez Sarsfield|Velez, CA Velez Sarsfield
Estudiantes La Plata|Estudiantes LP, Estudiantes de La Plata, Estudiantes de LP
Gimnasia La Plata|Gimnasia LP, Gimnasia y Esgrima La Plata, Gimnasia y Esgrima LP, Gimnasia de La Plata, GELP
Rosario Central|CA Rosario Central
Newells Old Boys|Newell's Old Boys, Newells, NOB, Newell's
Talleres Cordoba|Talleres de Cordoba, CA Talleres, Atletico Talleres, CA Talleres de Cordoba
Belgrano|Belgrano de Cordoba, CA Belgrano, Belgrano Cordoba
Instituto|Instituto de Cordoba, Instituto Cordoba, Instituto ACC
Central Cordoba|Central Cordoba SdE, Central Cordoba de Santiago, CA Central Cordoba, Central Cordoba SE, Central Cordoba Santiago del Estero, CA Central Cordoba SdE, CA Central Cordoba SE
Godoy Cruz|Godoy Cruz Antonio Tomba, Godoy Cruz Mendoza
Lanus|CA Lanus
Banfield|CA Banfield
Defensa y Justicia|Defensa Y Just, CSD Defensa y Justicia, Def y Justicia
Argentinos Juniors|Argentinos, Argentinos Jrs, AA Argentinos Juniors
Huracan|CA Huracan
Tigre|CA Tigre
Platense|CA Platense
Sarmiento|Sarmiento Junin, CA Sarmiento
Union Santa Fe|Union de Santa Fe, CA Union, Union SF
Colon|Colon Santa Fe, Colon de Santa Fe, CA Colon
Patronato|Patronato Parana, CA Patronato, Patronato de Parana
Aldosivi|CA Aldosivi, Aldosivi Mar del Plata
Atletico Tucuman|CA Tucuman, Atl Tucuman
Barracas Central|
Arsenal de Sarandi|Arsenal Sarandi
Independiente Rivadavia|Ind Rivadavia
Deportivo Riestra|Riestra
Club America|America, CF America, Club de Futbol America
Guadalajara|Chivas, Chivas Guadalajara, CD Guadalajara, Guadalajara Chivas
Cruz Azul|CD Cruz Azul, Deportivo Cruz Azul
Pumas UNAM|UNAM Pumas, UNAM, Pumas, Universidad Nacional
Tigres UANL|Tigres, UANL, UANL Tigres
Monterrey|CF Monterrey, Rayados, Rayados de Monterrey
Santos Laguna|Club Santos Laguna
Toluca|Deportivo Toluca, CD Toluca
Leon|Club Leon, FC Leon
Pachuca|CF Pachuca
Atlas|Atlas FC, Atlas Guadalajara, FC Atlas
Necaxa|Club Necaxa, CD Necaxa
Queretaro|Queretaro FC, Gallos Blancos
Puebla|Club Puebla, Puebla FC
Tijuana|Club Tijuana, Xolos, Xolos de Tijuana, Tijuana Xolos
Juarez|FC Juarez, Bravos de Juarez
Mazatlan|Mazatlan FC
Atletico San Luis|San Luis, Atl San Luis, Atletico de San Luis
Colo Colo|CSD Colo Colo
Universidad de Chile|U de Chile, Uni de Chile, CF Universidad de Chile, U. de Chile, Universidad de Chile Santiago, Universite du Chili
Palestino|CD Palestino
Union Espanola|
Audax Italiano|Audax
Everton de Vina|Everton Vina del Mar, CD Everton, Everton de Vina del Mar, CD Everton Vina del Mar, Everton Vina
O Higgins|OHiggins, O'Higgins, O Higgins Rancagua
Huachipato|CD Huachipato
Cobresal|CD Cobresal
Coquimbo Unido|Coquimbo
Nublense|Nublense Chillan
Union La Calera|La Calera
Atletico Nacional|Atl Nacional, Nacional Medellin, Atletico Nacional Medellin
Independiente Medellin|DIM, Deportivo Independiente Medellin, Ind Medellin
America de Cali|America Cali
Deportivo Cali|Dep Cali, Asociacion Deportivo Cali
Millonarios|Millonarios FC, Millonarios Bogota
Independiente Santa Fe|Santa Fe, Ind Santa Fe, Santa Fe Bogota
Junior|Atletico Junior, Junior Barranquilla, Junior de Barranquilla, CDP Junior
Deportes Tolima|Tolima
Once Caldas|
Bucaramanga|Atletico Bucaramanga
La Equidad|Equidad, CD La Equidad
Deportivo Pasto|Dep Pasto, Pasto
Barcelona SC|Barcelona Guayaquil, Barcelona de Guayaquil
Emelec|CS Emelec
LDU Quito|LDU, Liga de Quito, Liga Deportiva Universitaria
Independiente del Valle|IDV, Ind del Valle
El Nacional|CD El Nacional, El Nacional Quito, CD El Nacional Quito
Aucas|SD Aucas
Deportivo Cuenca|Dep Cuenca
Macara|CSD Macara, Deportivo Macara
Universidad Catolica Quito|U Catolica Quito, Universidad Catolica del Ecuador, UC Ecuador, CD Universidad Catolica del Ecuador, Universidad Catolica Ecuador
Olimpia|Club Olimpia, Olimpia Asuncion
Cerro Porteno|Club Cerro Porteno
Libertad|Club Libertad, Libertad Asuncion
Guarani|Club Guarani, Guarani Asuncion
Penarol|CA Penarol, Penarol Montevideo
Nacional|Club Nacional, Nacional Montevideo, Club Nacional de Football, Nacional de Football
Alianza Lima|Club Alianza Lima
Universitario|Universitario de Deportes, Universitario Lima
Sporting Cristal|Sp Cristal, CS Cristal
Melgar|FBC Melgar, FBC Melgar Arequipa
Bolivar|Club Bolivar, Bolivar La Paz
The Strongest|The Strongest La Paz, Strongest
Kawasaki Frontale|Kawasaki
Yokohama F Marinos|Yokohama Marinos, Yokohama F. Marinos, Yokohama FM, YokohamaMarinos
Urawa Red Diamonds|Urawa Reds, Urawa
Kashima Antlers|Kashima
Gamba Osaka|G Osaka, Gamba
Cerezo Osaka|C Osaka, Cerezo
Vissel Kobe|Kobe, V Kobe
Sanfrecce Hiroshima|Hiroshima, Sanfrecce
Nagoya Grampus|Nagoya, Nagoya Grampus Eight, Grampus
FC Tokyo|Tokyo
Tokyo Verdy|Verdy, Tokyo V
Kashiwa Reysol|Kashiwa
Sagan Tosu|Tosu
Shonan Bellmare|Shonan
Consadole Sapporo|Hokkaido Consadole Sapporo, Sapporo
Avispa Fukuoka|Fukuoka
Kyoto Sanga|Kyoto, Kyoto Sanga FC
Shimizu S-Pulse|Shimizu, Shimizu S Pulse, S-Pulse
Jubilo Iwata|Iwata
Albirex Niigata|Niigata
Machida Zelvia|Machida, FC Machida Zelvia
Vegalta Sendai|Sendai
Tokushima Vortis|Tokushima
Oita Trinita|Oita
JEF United Chiba|JEF United, Chiba, JEF Utd Ichihara Chiba, JEF United Ichihara Chiba
Jeonbuk Hyundai Motors|Jeonbuk, Jeonbuk Motors, Jeonbuk FC, Jeonbuk Hyundai
Ulsan HD|Ulsan, Ulsan Hyundai, Ulsan Hyundai Horang-i, Ulsan HD FC, Ulsan Hyundai FC
Pohang Steelers|Pohang
Suwon Samsung Bluewings|Suwon Bluewings, Suwon Samsung, Suwon BW
Suwon FC|Suwon City, Suwon City FC
FC Seoul|Seoul
Daegu FC|Daegu
Incheon United|Incheon, Incheon Utd
Gangwon FC|Gangwon
Jeju United|Jeju, Jeju SK
Gwangju FC|Gwangju
Busan IPark|Busan, Busan I Park, Busan I'Park
Seongnam FC|Seongnam
Daejeon Hana Citizen|Daejeon, Daejeon Citizen, Daejeon Hana
Gimcheon Sangmu|Sangju Sangmu, Gimcheon
Shanghai Port|Shanghai SIPG, Shanghai East Asia
Shanghai Shenhua|Shanghai Greenland Shenhua, Shanghai Greenland
Shandong Taishan|Shandong Luneng, Shandong Luneng Taishan
Beijing Guoan|Beijing Sinobo Guoan, Beijing
Guangzhou FC|Guangzhou Evergrande, Guangzhou Evergrande Taobao
Hebei FC|Hebei China Fortune, Hebei CFFC, Hebei, Hebei China Fortune FC
Wuhan FC|Wuhan Zall, Wuhan
Wuhan Three Towns|
Jiangsu FC|Jiangsu Suning, Jiangsu Sainty
Chongqing Liangjiang|Chongqing Lifan, Chongqing Dangdai Lifan, Chongqing
Henan FC|Henan Jianye, Henan Songshan Longmen
Dalian Pro|Dalian Yifang, Dalian Professional, Dalian
Tianjin Jinmen Tiger|Tianjin Teda, Tianjin, Tianjin TEDA
Changchun Yatai|Changchun
Sydney FC|
Western Sydney Wanderers|WS Wanderers, West Sydney, Western Sydney, West Sydney Wanderers
Melbourne Victory|Melb Victory, Melbourne V
Melbourne City|Melb City, Melbourne Heart
Western United|Western Utd
Brisbane Roar|Brisbane
Adelaide United|Adelaide, Adelaide Utd
Perth Glory|Perth
Central Coast Mariners|Central Coast, CC Mariners
Newcastle Jets|Newcastle United Jets, Newcastle Utd Jets, Newcastle Jets FC
Wellington Phoenix|Wellington
Macarthur FC|Macarthur, Macarthur Bulls
Auckland FC|Auckland
Al Hilal Riyadh|Al Hilal SFC, Al Hilal Saudi, Al-Hilal (KSA)
Al Nassr|Al Nasr Riyadh, Al Nassr Riyadh
Al Ittihad Jeddah|Ittihad Jeddah, Al Ittihad (KSA)
Al Ahli Jeddah|Al Ahli Saudi, Al Ahli (KSA)
Al Ahly|Al Ahly Cairo, Al Ahly SC, National Cairo, Al Ahly Le Caire
Zamalek|Zamalek SC, El Zamalek, Zamalek Cairo
Pyramids|Pyramids FC
Raja Casablanca|Raja CA, Raja Club Athletic, Raja
Wydad Casablanca|Wydad AC, WAC Casablanca, Wydad, WAC
Esperance Tunis|ES Tunis, EST, Esperance, Esperance Sportive de Tunis, Esperance de Tunis
Etoile du Sahel|ES Sahel, ESS, Etoile Sportive du Sahel, Etoile Sahel
Club Africain|CA Tunis, Africain
CA Bizertin|CA Bizerte, Club Athletique Bizertin, Bizertin
CS Sfaxien|CSS, Club Sportif Sfaxien, Sfaxien, Sfax
US Monastir|Monastir, Union Sportive Monastirienne, US Monastirienne
MC Alger|MCA, Mouloudia Alger
USM Alger|USMA
CR Belouizdad|CRB Belouizdad, Belouizdad
JS Kabylie|JSK, Kabylie
Olympique Khouribga|OC Khouribga, OCK Khouribga, OCK, Olympique Club Khouribga, Olympique de Khouribga
Olympic Safi|OC Safi, Olympique Safi, OCS, Olympique de Safi, OCS Safi
Difaa El Jadida|DHJ, DHJ El Jadida, Difaa Hassani El Jadida, Difaa Hassani Jadidi, DHJ Difaa Hassani Jdidi
TP Mazembe|Mazembe, TP Mazembe Englebert
Kaizer Chiefs|Kaiser Chiefs
Orlando Pirates|
Mamelodi Sundowns|Sundowns
Simba SC|Simba
Young Africans|Yanga, Yanga SC
Young Boys|BSC Young Boys, YB Bern, Young Boys Bern
Grasshoppers|Grasshopper Club Zurich, GC Zurich, Grasshopper, Grasshoppers Zurich, Grasshopper Zurich
FC Zurich|Zurich
FC Basel|Basel, FC Basel 1893, Bale
Lausanne-Sport|Lausanne, FC Lausanne-Sport, FC Lausanne, Lausanne Sports
Servette|Servette FC, Servette Geneva, Servette Geneve
Luzern|FC Luzern, Lucerne
St Gallen|FC St. Gallen, Saint-Gall, St Gall, FC St Gallen 1879
Sion|FC Sion
Lugano|FC Lugano
Red Bull Salzburg|RB Salzburg, FC Salzburg, Salzburg, FC Red Bull Salzburg
Rapid Vienna|Rapid Wien, SK Rapid, SK Rapid Wien
Austria Vienna|Austria Wien, FK Austria Wien, FAK Wien
Sturm Graz|SK Sturm Graz, Sturm
LASK|LASK Linz, Linzer ASK
Wolfsberger AC|Wolfsberg, WAC Wolfsberg, RZ Pellets WAC, Wolfsberger
WSG Tirol|WSG Swarovski Tirol, WSG Wattens, Swarovski Wattens, WSG Swarovski Wattens
Austria Klagenfurt|SK Austria Klagenfurt, SK Klagenfurt, Klagenfurt
Sparta Prague|Sparta Praha, AC Sparta Praha
Slavia Prague|Slavia Praha, SK Slavia Praha
Viktoria Plzen|Plzen, FC Viktoria Plzen
Dynamo Ceske Budejovice|Ceske Budejovice, SK Dynamo Ceske Budejovice, C Budejovice
FC Copenhagen|FC Kobenhavn, FCK, Copenhagen, Copenhague, FC Copenhague, Kobenhavn
Odense BK|OB, OB Odense, Odense, Odense Boldklub
AGF|AGF Aarhus, Aarhus GF, Aarhus
AaB|Aalborg, Aalborg BK, AaB Aalborg
Brondby|Brondby IF
Midtjylland|FC Midtjylland
AIK|AIK Stockholm, AIK Solna, AIK Fotboll
IFK Goteborg|IFK Gothenburg, Goteborg, Gothenburg, IFK Goeteborg
Djurgarden|Djurgardens IF, Djurgarden IF, Djurgardens, Djurgarden Stockholm
IK Start|Start, Start Kristiansand, IK Start Kristiansand
Bodo/Glimt|Bodo Glimt, FK Bodo/Glimt
HJK|HJK Helsinki, Helsinki JK
KR Reykjavik|KR
B36 Torshavn|B36
HB Torshavn|HB
Legia Warsaw|Legia Warszawa, Legia, Legia Varsovie
Cracovia|Cracovia Krakow, KS Cracovia, MKS Cracovia
Slask Wroclaw|WKS Slask Wroclaw
Radomiak|Radomiak Radom, RKS Radomiak
Fehervar|Fehervar FC, MOL Fehervar, Videoton, MOL Vidi, Vidi, MOL Fehervar FC, Videoton FC
Honved|Budapest Honved, Honved Budapest, Kispest Honved
Ferencvaros|FTC, Ferencvarosi TC, Ferencvaros Budapest
Debrecen|Debreceni VSC, DVSC, Debreceni, DVSC Debrecen
Ujpest|Ujpest FC, Ujpest Budapest
Budafok|Budafoki MTE, Budafoki
MTK Budapest|MTK, MTK Hungaria
FCSB|Steaua Bucuresti, Steaua Bucharest, FC FCSB, Steaua Bucarest, Steaua, FC Steaua Bucuresti
CFR Cluj|CFR 1907 Cluj, CFR
Universitatea Craiova|Univ Craiova, CS U Craiova, CSU Craiova, U Craiova
Viitorul Constanta|Viitorul, FC Viitorul, FC Viitorul Constanta
Farul Constanta|Farul
UTA Arad|UTA, UTA Batrana Doamna, FC UTA Arad
Red Star Belgrade|Crvena Zvezda, Red Star, Crvena Zvezda Beograd, FK Crvena Zvezda, Etoile Rouge, Etoile Rouge Belgrade
Partizan|Partizan Belgrade, FK Partizan, Partizan Beograd
TSC Backa Topola|Backa Topola, TSC, FK TSC, FK Backa Topola
Spartak Subotica|FK Spartak Subotica, Spartak Zlatibor Voda, FK Spartak Zlatibor Voda
Radnik Surdulica|FK Radnik, Radnik, FK Radnik Surdulica
Slaven Belupo|NK Slaven Belupo, Slaven Koprivnica, NK Slaven Koprivnica
Sutjeska Niksic|Sutjeska, FK Sutjeska
Olimpija Ljubljana|Olimpija, NK Olimpija, NK Olimpija Ljubljana
Koper|FC Koper, FC Luka Koper, Luka Koper
Maccabi Tel Aviv|
Hapoel Beer Sheva|Hapoel Be'er Sheva, Hapoel Beersheba, H Beer Sheva
Maccabi Petah Tikva|Maccabi Petach Tikva, M Petah Tikva
AEK Athens|AEK, AEK Athina
PAOK|PAOK Thessaloniki, PAOK Salonika
Asteras Tripolis|Asteras Tripoli, Asteras, Tripolis
Atromitos|Atromitos Athens, Atromitos Athinon
PAS Lamia|Lamia, PAS Lamia 1964, AS Lamia
APOEL|APOEL Nicosia, Apoel Nicosie
Anorthosis|Anorthosis Famagusta, Famagusta
AC Omonia|Omonia, Omonia Nicosia
Pafos FC|Pafos, Paphos, AEP Paphos, Paphos FC
Torpedo Zhodino|Torpedo BelAZ, Torpedo-BelAZ Zhodino, FC Torpedo Zhodino, Torpedo BelAZ Zhodino
BATE Borisov|BATE
Shakhtyor Soligorsk|FC Shakhtyor, Soligorsk
Krylya Sovetov|Krylia Sovetov Samara, KS Samara, Krylya Sovetov Samara, Samara
Mariupol|FC Mariupol, Illichivets Mariupol, FC Illichivets Mariupol
Metalist 1925|Metalist 1925 Kharkiv, FC Metalist 1925
Alashkert|FC Alashkert
Valmiera|Valmiera FC, Valmiera Glass VIA, Valmiera FK, Valmiera Glass
Los Angeles FC|LAFC
`,
}
