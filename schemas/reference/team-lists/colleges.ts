/**
 * US colleges: `name | nickname | other names`, one a line. Abbreviations that are grammar (State and
 * St., N. and North, Ill. and Illinois) need no entry: `colleges` are looked up by `collegeKey`.
 */
export const colleges = `
Abilene Christian|Wildcats|ACU
Air Force|Falcons|United States Air Force Academy, AFA
Akron|Zips
Alabama|Crimson Tide|Bama
Alabama A&M|Bulldogs|AAMU
Alabama State|Hornets
Alcorn State|Braves|Alcorn
American|Eagles|American University
Appalachian State|Mountaineers|App State, App St
Arizona|Wildcats
Arizona State|Sun Devils|ASU
Arkansas|Razorbacks
Arkansas Pine Bluff|Golden Lions|UAPB, Ark Pine Bluff
Arkansas State|Red Wolves
Army|Black Knights|Army West Point, US Military Academy, United States Military Academy
Auburn|Tigers
Austin Peay|Governors|Austin Peay State, APSU
Ball State|Cardinals
Baylor|Bears
Bellarmine|Knights
Belmont|Bruins
Bethune Cookman|Wildcats|B-CU, Bethune-Cookman College
Binghamton|Bearcats|SUNY Binghamton
Boise State|Broncos
Boston College|Eagles|BC
Boston University|Terriers|Boston U, Boston Univ, BU
Bowling Green|Falcons|Bowling Green State, BGSU
Bradley|Braves
Brown|Bears
Bryant|Bulldogs
Bucknell|Bison
Buffalo|Bulls|SUNY Buffalo, UB
Butler|Bulldogs
BYU|Cougars|Brigham Young
Cal Baptist|Lancers|California Baptist, CBU
Cal Poly|Mustangs|Cal Poly SLO, Cal Poly San Luis Obispo, Cal Poly-SLO
Cal State Bakersfield|Roadrunners|Bakersfield, CSU Bakersfield, CS Bakersfield, CSUB
Cal State Fullerton|Titans|Fullerton, CSU Fullerton, CS Fullerton, CSUF
Cal State Northridge|Matadors|CSUN, Northridge, CSU Northridge, CS Northridge
California|Golden Bears|Cal, UC Berkeley, California Berkeley
Campbell|Fighting Camels|Camels
Canisius|Golden Griffins
Central Arkansas|Bears|UCA
Central Connecticut|Blue Devils|Central Connecticut State, CCSU, Central Conn
Central Florida|Knights|UCF
Central Michigan|Chippewas|CMU
Charleston|Cougars|College of Charleston, Col of Charleston, Coll Charleston, Charleston College, Col Charleston
Charleston Southern|Buccaneers|CSU Buccaneers
Charlotte|49ers|UNC Charlotte, NC Charlotte, North Carolina Charlotte, UNCC
Chattanooga|Mocs|UT Chattanooga, Tennessee Chattanooga, UTC
Chicago State|Cougars
Cincinnati|Bearcats|Cincy
Citadel|Bulldogs|The Citadel
Clemson|Tigers
Cleveland State|Vikings
Coastal Carolina|Chanticleers|CCU
Colgate|Raiders
Colorado|Buffaloes|CU, Colorado Buffs
Colorado State|Rams|CSU Rams
Columbia|Lions
Connecticut|Huskies|UConn
Coppin State|Eagles|Coppin
Cornell|Big Red
Creighton|Bluejays
Dartmouth|Big Green
Davidson|Wildcats
Dayton|Flyers
Delaware|Blue Hens|Delaware Fightin Blue Hens, Delaware Fighting Blue Hens
Delaware State|Hornets
Denver|Pioneers
DePaul|Blue Demons
Detroit Mercy|Titans|Detroit, UDM
Drake|Bulldogs
Drexel|Dragons
Duke|Blue Devils
Duquesne|Dukes
East Carolina|Pirates|ECU
East Tennessee State|Buccaneers|ETSU
Eastern Illinois|Panthers|EIU
Eastern Kentucky|Colonels|EKU
Eastern Michigan|Eagles|EMU
Eastern Washington|Eagles|EWU
Elon|Phoenix
Evansville|Purple Aces
Fairfield|Stags
Fairleigh Dickinson|Knights|FDU, F Dickinson, Fair Dickinson
Florida|Gators|UF
Florida A&M|Rattlers|FAMU
Florida Atlantic|Owls|FAU, Fla Atlantic
Florida Gulf Coast|Eagles|FGCU, FL Gulf Coast
Florida International|Panthers|FIU, Florida Intl, Fla International
Florida State|Seminoles|FSU
Fordham|Rams
Fresno State|Bulldogs|Fresno
Furman|Paladins
Gardner Webb|Runnin Bulldogs|Gardner-Webb Runnin' Bulldogs
George Mason|Patriots|GMU
George Washington|Revolutionaries|GWU, G Washington, George Washington Colonials, Geo Washington
Georgetown|Hoyas
Georgia|Bulldogs|UGA
Georgia Southern|Eagles|Ga Southern
Georgia State|Panthers
Georgia Tech|Yellow Jackets|GT, Ga Tech
Gonzaga|Bulldogs
Grambling|Tigers|Grambling State
Grand Canyon|Antelopes|GCU, Grand Canyon Lopes
Green Bay|Phoenix|Wisconsin Green Bay, UW Green Bay, UWGB
Hampton|Pirates
Hartford|Hawks
Harvard|Crimson
Hawaii|Rainbow Warriors|Hawai'i, Hawaii Warriors
High Point|Panthers
Hofstra|Pride
Holy Cross|Crusaders
Houston|Cougars|UH
Houston Christian|Huskies|Houston Baptist, HCU, HBU
Howard|Bison
Idaho|Vandals
Idaho State|Bengals
Illinois|Fighting Illini|Illini
Illinois Chicago|Flames|UIC, Ill Chicago
Illinois State|Redbirds
Incarnate Word|Cardinals|UIW
Indiana|Hoosiers|IU
Indiana State|Sycamores
Indiana Purdue Indianapolis|Jaguars|IUPUI, IU Indianapolis, IU Indy
Iona|Gaels
Iowa|Hawkeyes
Iowa State|Cyclones|ISU Cyclones
IPFW|Mastodons|Purdue Fort Wayne, Fort Wayne, PFW, Indiana Purdue Fort Wayne, IU-PU Fort Wayne
Jackson State|Tigers
Jacksonville|Dolphins
Jacksonville State|Gamecocks|JSU, Jax State
James Madison|Dukes|JMU
Kansas|Jayhawks|KU
Kansas State|Wildcats|K State, K-State
Kennesaw State|Owls|Kennesaw
Kent State|Golden Flashes|Kent
Kentucky|Wildcats|UK
La Salle|Explorers|LaSalle
Lafayette|Leopards|Lafayette College
Lamar|Cardinals
Lehigh|Mountain Hawks
Le Moyne|Dolphins
Liberty|Flames
Lindenwood|Lions
Lipscomb|Bisons
Little Rock|Trojans|Arkansas Little Rock, UALR, Ark Little Rock
LIU|Sharks|Long Island, LIU Brooklyn, Long Island University, Long Island Brooklyn
Long Beach State|Beach|Cal State Long Beach, CSU Long Beach, Long Beach State 49ers, LBSU, CS Long Beach
Longwood|Lancers
Louisiana|Ragin Cajuns|Louisiana Lafayette, UL Lafayette, ULL, La Lafayette, Louisiana Ragin' Cajuns, Southwestern Louisiana, Lafayette Ragin Cajuns
Louisiana Monroe|Warhawks|ULM, UL Monroe, La Monroe, Northeast Louisiana
Louisiana Tech|Bulldogs|La Tech
Louisville|Cardinals|UofL
Loyola Chicago|Ramblers|Loyola IL, Loyola Illinois, Loyola (Chi)
Loyola Maryland|Greyhounds|Loyola MD, Loyola (Md)
Loyola Marymount|Lions|LMU
LSU|Tigers|Louisiana State
Maine|Black Bears
Manhattan|Jaspers
Marist|Red Foxes
Marquette|Golden Eagles
Marshall|Thundering Herd
Maryland|Terrapins|Maryland Terps
Maryland Eastern Shore|Hawks|UMES, MD Eastern Shore, Md E Shore, Maryland E Shore
Massachusetts|Minutemen|UMass
McNeese|Cowboys|McNeese State
Memphis|Tigers
Mercer|Bears
Mercyhurst|Lakers
Merrimack|Warriors
Miami|Hurricanes|Miami FL, Miami Florida, Miami (Florida)
Miami OH|RedHawks|Miami Ohio, Miami (Ohio), Miami Univ Ohio
Michigan|Wolverines
Michigan State|Spartans|MSU Spartans
Middle Tennessee|Blue Raiders|Middle Tennessee State, MTSU, Middle Tenn State, Mid Tennessee
Milwaukee|Panthers|Wisconsin Milwaukee, UW Milwaukee, UWM
Minnesota|Golden Gophers|Minnesota Gophers
Mississippi|Rebels|Ole Miss
Mississippi State|Bulldogs|Miss State
Mississippi Valley State|Delta Devils|MVSU, Miss Valley State, MS Valley State, Mississippi Valley
Missouri|Tigers|Mizzou
Missouri State|Bears|Southwest Missouri State, SW Missouri State, SMSU
Missouri Kansas City|Kangaroos|UMKC, Kansas City, Missouri KC, Missouri Kansas City Roos, Mo Kansas City, Kansas City Roos
Monmouth|Hawks|Monmouth NJ
Montana|Grizzlies
Montana State|Bobcats
Morehead State|Eagles|Morehead
Morgan State|Bears|Morgan
Mount St Marys|Mountaineers|Mount Saint Mary's, Mt St Mary's, Mt. St. Marys MD
Murray State|Racers
Navy|Midshipmen|US Naval Academy, United States Naval Academy
Nebraska|Cornhuskers|Nebraska Huskers
Nebraska Omaha|Mavericks|Omaha, NE Omaha, UNO Mavericks
Nevada|Wolf Pack|Nevada Reno, Nevada Wolfpack
New Hampshire|Wildcats|UNH
New Haven|Chargers
New Mexico|Lobos|UNM
New Mexico State|Aggies|NMSU
New Orleans|Privateers|UNO, New Orleans U
Niagara|Purple Eagles
Nicholls|Colonels|Nicholls State
NJIT|Highlanders|New Jersey Tech, New Jersey Institute of Technology, NJ Tech
Norfolk State|Spartans
North Alabama|Lions|UNA
North Carolina|Tar Heels|UNC
North Carolina A&T|Aggies|NC A&T, North Carolina A&T State, N Carolina AT
North Carolina Central|Eagles|NC Central, NCCU
North Carolina State|Wolfpack|NC State
North Dakota|Fighting Hawks|North Dakota Fighting Sioux, UND, North Dakota UND
North Dakota State|Bison|NDSU, ND State
North Florida|Ospreys|UNF
North Texas|Mean Green|UNT
Northeastern|Huskies
Northern Arizona|Lumberjacks|NAU
Northern Colorado|Bears|UNCO
Northern Illinois|Huskies|NIU
Northern Iowa|Panthers|UNI
Northern Kentucky|Norse|NKU
Northwestern|Wildcats
Northwestern State|Demons|Northwestern La, NW State, Northwestern Louisiana
Notre Dame|Fighting Irish
Oakland|Golden Grizzlies
Ohio|Bobcats|Ohio University, Ohio U
Ohio State|Buckeyes|OSU Buckeyes
Oklahoma|Sooners|OU
Oklahoma State|Cowboys
Old Dominion|Monarchs|ODU
Oral Roberts|Golden Eagles|ORU
Oregon|Ducks
Oregon State|Beavers
Pacific|Tigers|University of the Pacific, Pacific U
Penn|Quakers|Pennsylvania, UPenn
Penn State|Nittany Lions|Pennsylvania State, PSU
Pepperdine|Waves
Pittsburgh|Panthers|Pitt
Portland|Pilots
Portland State|Vikings
Prairie View A&M|Panthers|Prairie View, PVAMU
Presbyterian|Blue Hose
Princeton|Tigers
Providence|Friars
Purdue|Boilermakers
Queens|Royals|Queens Charlotte, Queens NC, Queens University
Quinnipiac|Bobcats
Radford|Highlanders
Rhode Island|Rams|URI
Rice|Owls
Richmond|Spiders
Rider|Broncs
Robert Morris|Colonials|RMU
Rutgers|Scarlet Knights
Sacramento State|Hornets|Cal State Sacramento, CSU Sacramento, Sac State, CS Sacramento
Sacred Heart|Pioneers|SHU
Saint Francis PA|Red Flash|St Francis PA, Saint Francis Pennsylvania, St. Francis (PA)
St Francis Brooklyn|Terriers|St Francis NY, Saint Francis NY, St. Francis (NY), St Francis (BKN), St Francis Bk
Saint Josephs|Hawks|St Joseph's, St Josephs PA, Saint Joseph's PA, St. Joe's, Saint Joes
Saint Louis|Billikens|St Louis, SLU
Saint Marys|Gaels|St Mary's, St Mary's CA, Saint Mary's CA, Saint Mary's California, St Marys (Cal)
Saint Peters|Peacocks|St Peter's, St Peters
St Bonaventure|Bonnies|Saint Bonaventure
St Johns|Red Storm|St John's, Saint John's, St John's NY, Saint Johns NY
St Thomas|Tommies|Saint Thomas, St Thomas MN, St. Thomas (MN), St Thomas Minnesota, Saint Thomas Mn
Sam Houston|Bearkats|Sam Houston State, SHSU
Samford|Bulldogs
San Diego|Toreros|USD Toreros
San Diego State|Aztecs|SDSU
San Francisco|Dons|USF Dons
San Jose State|Spartans|SJSU
Santa Clara|Broncos
Savannah State|Tigers
Seattle|Redhawks|Seattle U, Seattle University
Seton Hall|Pirates
Siena|Saints
SMU|Mustangs|Southern Methodist
South Alabama|Jaguars|USA Jaguars, South Ala
South Carolina|Gamecocks
South Carolina State|Bulldogs|SC State
South Carolina Upstate|Spartans|USC Upstate, SC Upstate
South Dakota|Coyotes
South Dakota State|Jackrabbits|SD State, SDSU Jackrabbits
South Florida|Bulls|USF
Southeast Missouri State|Redhawks|SEMO, SE Missouri State, Southeast Missouri, SE Missouri
Southeastern Louisiana|Lions|SE Louisiana, SELA, SLU Lions, Southeast Louisiana
Southern|Jaguars|Southern University, Southern U, Southern A&M, Southern Univ
Southern California|Trojans|USC, Southern Cal
Southern Illinois|Salukis|SIU
Southern Illinois Edwardsville|Cougars|SIU Edwardsville, SIUE, SIU-E, Edwardsville
Southern Indiana|Screaming Eagles|USI
Southern Miss|Golden Eagles|Southern Mississippi, USM
Southern Utah|Thunderbirds|SUU
Stanford|Cardinal
Stephen F Austin|Lumberjacks|Stephen F. Austin State, SFA, SF Austin
Stetson|Hatters
Stonehill|Skyhawks
Stony Brook|Seawolves|SUNY Stony Brook
Syracuse|Orange
Tarleton State|Texans|Tarleton
TCU|Horned Frogs|Texas Christian
Temple|Owls
Tennessee|Volunteers|Tennessee Vols
Tennessee Martin|Skyhawks|UT Martin, UTM, Tenn Martin, TN Martin
Tennessee State|Tigers
Tennessee Tech|Golden Eagles
Texas|Longhorns
Texas A&M|Aggies|TAMU
Texas A&M Commerce|Lions|East Texas A&M, A&M Commerce, TAMU Commerce, TAM Commerce
Texas A&M Corpus Christi|Islanders|A&M Corpus Christi, TAMU Corpus Christi, Texas A&M CC, TAMUCC, A&M CC, TAM Corpus Christi, TAM C Christi, Texas A&M Corpus, TX A&M Corpus Christi, A&M-Corpus Chris, TAMU-CC, T A&M Corpus Christi
Texas A&M Kingsville|Javelinas|TAMU Kingsville
Texas Arlington|Mavericks|UT Arlington, UTA
Texas El Paso|Miners|UTEP, UT El Paso
Texas Pan American|Broncs|UT Pan American, Pan American, UTPA
Texas Permian Basin|Falcons|UT Permian Basin, UTPB
Texas Dallas|Comets|UT Dallas
Texas Tyler|Patriots|UT Tyler
Texas Rio Grande Valley|Vaqueros|UT Rio Grande Valley, UTRGV, Rio Grande Valley
Texas San Antonio|Roadrunners|UTSA, UT San Antonio
Texas Southern|Tigers|TSU Tigers
Texas State|Bobcats|Southwest Texas State, SW Texas State
Texas Tech|Red Raiders|TTU
Toledo|Rockets
Towson|Tigers|Towson State
Troy|Trojans|Troy State
Tulane|Green Wave
Tulsa|Golden Hurricane
UAB|Blazers|Alabama Birmingham, Ala Birmingham
UC Davis|Aggies|California Davis, Cal Davis
UC Irvine|Anteaters|California Irvine, Cal Irvine, UCI
UC Riverside|Highlanders|California Riverside, Cal Riverside, UCR
UC San Diego|Tritons|California San Diego, UCSD
UC Santa Barbara|Gauchos|California Santa Barbara, UCSB, Cal Santa Barbara
UC Santa Cruz|Banana Slugs|California Santa Cruz
UCLA|Bruins|California Los Angeles
UMass Lowell|River Hawks|Massachusetts Lowell, Mass Lowell, UML, Lowell
UMass Dartmouth|Corsairs|Massachusetts Dartmouth
UMass Boston|Beacons|Massachusetts Boston
UMBC|Retrievers|Maryland Baltimore County, MD Baltimore County, Maryland Baltimore, MD Baltimore, Md Balt County
UNC Asheville|Bulldogs|North Carolina Asheville, NC Asheville, Asheville, UNCA
UNC Greensboro|Spartans|North Carolina Greensboro, NC Greensboro, UNCG, Greensboro
UNC Wilmington|Seahawks|North Carolina Wilmington, NC Wilmington, UNCW, Wilmington
UNC Pembroke|Braves|North Carolina Pembroke, NC Pembroke
UNLV|Runnin Rebels|Nevada Las Vegas, UNLV Rebels, Las Vegas
Utah|Utes
Utah State|Aggies|USU Aggies
Utah Tech|Trailblazers|Dixie State, Dixie St Trailblazers
Utah Valley|Wolverines|Utah Valley State, UVU
Valparaiso|Beacons|Valpo, Valparaiso Crusaders
Vanderbilt|Commodores|Vandy
VCU|Rams|Virginia Commonwealth, Va Commonwealth
Vermont|Catamounts
Villanova|Wildcats|Nova
Virginia|Cavaliers|UVA, Virginia Cavs
Virginia Tech|Hokies|VT, Virginia Polytechnic, VPI
VMI|Keydets|Virginia Military, Virginia Military Institute
Wagner|Seahawks
Wake Forest|Demon Deacons|Wake
Washington|Huskies|UW, Washington U Huskies
Washington State|Cougars|WSU Cougars, Wazzu
Weber State|Wildcats|Weber
West Georgia|Wolves|UWG
West Virginia|Mountaineers|WVU
Western Carolina|Catamounts|WCU
Western Illinois|Leathernecks|WIU
Western Kentucky|Hilltoppers|WKU
Western Michigan|Broncos|WMU
Wichita State|Shockers|Wichita
William & Mary|Tribe|William and Mary, W&M, William Mary
Winston Salem State|Rams|Winston-Salem
Winthrop|Eagles
Wisconsin|Badgers
Wisconsin Whitewater|Warhawks|UW Whitewater
Wisconsin Parkside|Rangers|UW Parkside
Wisconsin La Crosse|Eagles|UW La Crosse
Wisconsin Oshkosh|Titans|UW Oshkosh
Wisconsin Stevens Point|Pointers|UW Stevens Point
Wisconsin Platteville|Pioneers|UW Platteville
Wisconsin Eau Claire|Blugolds|UW Eau Claire
Wofford|Terriers
Wright State|Raiders
Wyoming|Cowboys
Xavier|Musketeers
Xavier LA|Gold Rush|Xavier Louisiana, Xavier (New Orleans)
Yale|Bulldogs
Youngstown State|Penguins|YSU
Alaska Anchorage|Seawolves|UAA, AK Anchorage
Alaska Fairbanks|Nanooks|Alaska, AK Fairbanks
Armstrong State|Pirates|Armstrong, Armstrong Atlantic, Armstrong Atlantic State
Augusta|Jaguars|Augusta State
Birmingham Southern|Panthers
Centenary|Gentlemen|Centenary LA
Central Missouri|Mules|Central Missouri State
Central Oklahoma|Bronchos
Central State|Marauders|Central State Ohio
Chaminade|Silverswords
Colorado Mesa|Mavericks|Mesa State
Colorado Mines|Orediggers|Colorado School of Mines
Concordia St Paul|Golden Bears
East Central|Tigers|East Central Oklahoma
Eastern New Mexico|Greyhounds
Emporia State|Hornets
Ferris State|Bulldogs
Fort Hays State|Tigers
Fort Lewis|Skyhawks
Fort Valley State|Wildcats
Grand Valley State|Lakers
Hawaii Hilo|Vulcans|HI Hilo, Hawaii-Hilo
Hawaii Pacific|Sharks
Indiana PA|Crimson Hawks|IUP, Indiana Pennsylvania
Kentucky State|Thorobreds
Lake Superior State|Lakers
Lincoln MO|Blue Tigers|Lincoln Missouri
Lincoln PA|Lions|Lincoln Pennsylvania
Michigan Tech|Huskies
Midwestern State|Mustangs
Minnesota Duluth|Bulldogs|Duluth, UMD
Minnesota State|Mavericks|Minnesota State Mankato, Mankato
Minnesota Crookston|Golden Eagles
Minnesota Morris|Cougars
Missouri Southern|Lions|Missouri Southern State
Missouri St Louis|Tritons|UMSL
Missouri Western|Griffons|Missouri Western State
Missouri S&T|Miners|Missouri Rolla
Montana Tech|Orediggers
Montana Billings|Yellowjackets|MSU Billings, Montana State Billings
Morris Brown|Wolverines
Nebraska Kearney|Lopers
New Mexico Highlands|Cowboys
North Georgia|Nighthawks
Northern Michigan|Wildcats
Northern State|Wolves
Northwest Missouri State|Bearcats|NW Missouri State, Northwest Missouri
Oklahoma City|Stars|OK City
Oklahoma Panhandle State|Aggies|Panhandle State
Okla Christian|Eagles|Oklahoma Christian
Pittsburg State|Gorillas
Pittsburgh Johnstown|Mountain Cats
Saginaw Valley State|Cardinals
San Francisco State|Gators
South Carolina Aiken|Pacers|USC Aiken
Southeastern Oklahoma State|Savage Storm|SE Oklahoma State
Southern Arkansas|Muleriders
Southern Colorado|Thunderwolves|Colorado State Pueblo, CSU Pueblo
Southern Connecticut State|Owls|Southern Connecticut
Southern Oregon|Raiders
Southwestern Oklahoma State|Bulldogs|SW Oklahoma State
Southwest Baptist|Bearcats
Southwest Minnesota State|Mustangs
Tennessee Wesleyan|Bulldogs
Texas Wesleyan|Rams
Texas Lutheran|Bulldogs
Texas Woman's|Pioneers
Truman State|Bulldogs|Northeast Missouri State
Tuskegee|Golden Tigers
Valdosta State|Blazers
Virginia State|Trojans
Virginia Union|Panthers
Virginia Wise|Cavaliers|UVA Wise
Wayne State|Warriors|Wayne State MI, Wayne State Michigan
Wayne State NE|Wildcats|Wayne State Nebraska
West Alabama|Tigers
West Chester|Golden Rams
West Florida|Argonauts
West Liberty|Hilltoppers
West Texas A&M|Buffaloes|West Texas, West Texas State
West Virginia State|Yellow Jackets
West Virginia Tech|Golden Bears
West Virginia Wesleyan|Bobcats
Western Colorado|Mountaineers
Western New Mexico|Mustangs
Western Oregon|Wolves
Western Washington|Vikings
Alliant|Gulls|Alliant International, US International
Brooklyn|Bulldogs|Brooklyn College
Utica|Pioneers
Hardin Simmons|Cowboys
Northeastern Illinois|Golden Eagles|NE Illinois
Northeastern State|RiverHawks|Northeastern Oklahoma
Albany|Great Danes|SUNY Albany, Albany NY, UAlbany
Bloomsburg|Huskies
Carleton|Knights
`
